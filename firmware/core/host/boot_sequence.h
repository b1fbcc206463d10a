// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/api/boot.h"
#include "firmware/api/mailbox.h"
#include "firmware/core/base/log_ring.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The driver's boot parameters, or why they were refused.
struct BootResult {
    BootError error = BootError::kNone;
    BootParameters parameters{};
};

/// Reads and checks the boot parameters and starts the log.
BootResult readBootParameters(hw::ControllerPort& port, LogRing& log);

/// The message that ends a boot: kReady with the version table, or kBootFailed.
Message bootMessage(BootError error);

/// Fills in the version table of kReady and of the reply to kGetVersions.
void fillVersions(Message& message);

}  // namespace vnpu::fw

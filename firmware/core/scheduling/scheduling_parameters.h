// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/mailbox.h"
#include "firmware/api/scheduling.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Reads and checks the parameters of kSetScheduling. `parameters` is changed only with kOk;
/// otherwise kBadAddress or kBadParameter.
MessageStatus readSchedulingParameters(hw::ControllerPort& port, std::uint64_t busAddress,
                                       SchedulingParameters& parameters);

}  // namespace vnpu::fw

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The controller's firmware: boots, answers the mailbox, takes jobs from the rings in priority
/// order, validates and dispatches their commands, and writes completions. One instance per device;
/// run() is called anew at each boot.
std::unique_ptr<hw::ControllerProgram> createFirmware();

}  // namespace vnpu::fw

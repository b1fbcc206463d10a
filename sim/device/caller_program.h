// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hw_model/regs/controller_port.h"
#include "sim/device/vnpu_device.h"

namespace vnpu::sim {

/// The controller's program of a caller in C. No exception passes through the caller's function,
/// unless it ignores for too long that it must return.
std::unique_ptr<hw::ControllerProgram> createCallerProgram(const vnpu_program& program);

}  // namespace vnpu::sim

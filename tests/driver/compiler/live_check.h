// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"

namespace vnpu::driver::test {

/// Walks a stream forwards, byte by byte, as if the job were preempted at every checkpoint: each
/// byte on chip that a command reads must have been written before, and since then have been live
/// at every checkpoint. What is on chip must not be used across a step of the controller. Empty, or
/// the first command that is wrong.
std::string checkLiveSets(const CompiledModel& model, const DeviceInfo& device);

}  // namespace vnpu::driver::test

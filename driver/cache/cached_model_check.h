// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Checks that a foreign compiled form fits a valid model and a device with `memoryBytes`: the same
/// inputs and outputs with sizes that follow from their shapes, and regions that exist, are no
/// larger than the memory behind them, and are writable only for scratch and outputs.
Result<void> checkCompiled(const CompiledModel& compiled,
                           const android::hardware::neuralnetworks::V1_3::Model& model,
                           std::uint64_t memoryBytes);

}  // namespace vnpu::driver

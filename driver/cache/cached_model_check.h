// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Whether a foreign compiled form fits a valid model and a device with `memoryBytes`: as many
/// inputs and outputs, of the sizes that their shapes make; regions that exist and are no larger
/// than what backs them, of which a job may write only scratch and outputs.
Result<void> checkCompiled(const CompiledModel& compiled,
                           const android::hardware::neuralnetworks::V1_3::Model& model,
                           std::uint64_t memoryBytes);

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <span>
#include <string>
#include <vector>

#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"
#include "driver/result.h"

namespace vnpu::driver {

/// One entry per operation of a valid model: why the device cannot run it, empty if it can.
std::vector<std::string> findUnsupported(
        const android::hardware::neuralnetworks::V1_3::Model& model);

/// Lowers, fuses, tiles, allocates and emits a valid model (validateModel) for `device`. `pools`
/// are the mapped bytes of model.pools. GENERAL_FAILURE for what is unsupported,
/// RESOURCE_EXHAUSTED_PERSISTENT for what can never fit, MISSED_DEADLINE_PERSISTENT where
/// options.mayGoOn returns false, each with a reason.
Result<CompiledModel> compile(const android::hardware::neuralnetworks::V1_3::Model& model,
                              std::span<const PoolView> pools, const DeviceInfo& device,
                              const CompileOptions& options = {});

}  // namespace vnpu::driver

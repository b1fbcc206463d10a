// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Read access to a constant operand's bytes, wherever they lie. Valid while the model's pools stay
/// mapped.
using PoolView = std::span<const std::byte>;

struct CompileOptions {
    /// Dimensions of the model's inputs where the model leaves them open (one entry per input,
    /// empty: as in the model).
    std::vector<std::vector<std::uint32_t>> inputDimensions = {};
    /// Inputs and outputs that the request leaves out (none: empty).
    std::vector<bool> omittedInputs = {};
    std::vector<bool> omittedOutputs = {};
    /// Room for each of CompiledModel::dynamicTensors, where an earlier job found too little (0 or
    /// beyond the last: a first guess).
    std::vector<std::uint64_t> capacities = {};
    /// Operations that run whole on the DSP though they could be tiled, but for their size.
    std::vector<std::uint32_t> wholeOperations = {};
    /// About how often the stream can be preempted, in cycles; 0: nowhere.
    std::uint64_t checkpointCycles = 0;
    /// Asked between the stages whether to go on; empty: yes.
    std::function<bool()> mayGoOn = {};
};

/// Whether the device can run each operation of a valid model, and if not, why (empty: it can).
std::vector<std::string> findUnsupported(
        const android::hardware::neuralnetworks::V1_3::Model& model);

/// Lowers, fuses, tiles, allocates and emits a valid model (validateModel) for `device`. `pools`
/// are the mapped bytes of model.pools. GENERAL_FAILURE for what is unsupported,
/// RESOURCE_EXHAUSTED_PERSISTENT for what can never fit, MISSED_DEADLINE_PERSISTENT where
/// options.mayGoOn says no, each with a reason.
Result<CompiledModel> compile(const android::hardware::neuralnetworks::V1_3::Model& model,
                              std::span<const PoolView> pools, const DeviceInfo& device,
                              const CompileOptions& options = {});

}  // namespace vnpu::driver

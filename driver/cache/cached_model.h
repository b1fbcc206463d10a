// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/compiler.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The result of a preparation that later ones can reuse.
struct CacheSource {
    const android::hardware::neuralnetworks::V1_3::Model& model;  // valid
    std::span<const PoolView> pools;                              // the mapped bytes of its pools
    const CompiledModel* compiled = nullptr;  // null where the model leaves input shapes open
    android::hardware::neuralnetworks::V1_3::Priority priority{};
    std::uint64_t checkpointCycles = 0;  // CompileOptions
    android::hardware::neuralnetworks::V1_1::ExecutionPreference preference =
            android::hardware::neuralnetworks::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
};

/// The payloads of the two files. `data` borrows from the source.
struct EncodedModel {
    std::vector<std::byte> model;
    std::vector<std::span<const std::byte>> data;
};

/// The contents of the cache, in place of the client's model.
struct CachedModel {
    android::hardware::neuralnetworks::V1_3::Model model;  // valid; its pools are shared memory
                                                           // that nobody else has
    std::optional<CompiledModel> compiled;
    android::hardware::neuralnetworks::V1_3::Priority priority{};
    std::uint64_t checkpointCycles = 0;
    android::hardware::neuralnetworks::V1_1::ExecutionPreference preference =
            android::hardware::neuralnetworks::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
};

/// Of the pools only what operands refer to is taken. GENERAL_FAILURE if the model is too large or
/// a pool smaller than it says.
Result<EncodedModel> encodeModel(const CacheSource& source);

/// Nothing in the payloads is trusted. `model` begins at a multiple of 8. GENERAL_FAILURE unless
/// they hold a model that is valid by itself (validateModel) and a compiled form that fits it and a
/// device with `memoryBytes`; the commands are left to the firmware, which validates them against
/// the regions of each job.
Result<CachedModel> decodeModel(std::span<const std::byte> model, std::span<const std::byte> data,
                                std::uint64_t memoryBytes);

}  // namespace vnpu::driver

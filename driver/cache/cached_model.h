// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "driver/cache/cache_files.h"
#include "driver/compiler/compiler.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The properties of a preparation besides its model.
struct ModelTerms {
    android::hardware::neuralnetworks::V1_3::Priority priority =
            android::hardware::neuralnetworks::V1_3::Priority::MEDIUM;
    std::uint64_t checkpointCycles = 0;  // CompileOptions, in device cycles
    android::hardware::neuralnetworks::V1_1::ExecutionPreference preference =
            android::hardware::neuralnetworks::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
};

/// INVALID_ARGUMENT for a preference or priority that does not exist.
Result<void> checkTerms(const ModelTerms& terms);

/// The result of a preparation that later ones can reuse.
struct CacheSource {
    const android::hardware::neuralnetworks::V1_3::Model& model;  // valid
    std::span<const PoolView> pools;                              // the mapped bytes of its pools
    const CompiledModel* compiled = nullptr;  // null where the model leaves input shapes open
    ModelTerms terms;
};

/// The contents of the cache, in place of the client's model.
struct CachedModel {
    android::hardware::neuralnetworks::V1_3::Model model;  // valid; its pools are shared memory
                                                           // that nobody else has
    std::optional<CompiledModel> compiled;
    ModelTerms terms;
};

/// The payloads of the two files; the data borrow from the source. Of the pools only the ranges
/// that operands refer to are kept. GENERAL_FAILURE if a pool is smaller than the model says.
Result<CachePayloads> encodeModel(const CacheSource& source);

/// Nothing in the payloads is trusted. GENERAL_FAILURE unless they hold a model that is valid by
/// itself (validateModel) and a compiled form that fits it and a device with `memoryBytes`; the
/// commands are left to the firmware, which validates them against the regions of each job.
Result<CachedModel> decodeModel(CacheContents contents, std::uint64_t memoryBytes);

/// Keeps a compilation in the client's two files. GENERAL_FAILURE with the reason if it cannot; the
/// files hold no valid cache then, as far as they can be written at all.
Result<void> saveToCache(const CacheDescriptors& files, const CacheKey& key,
                         const CacheSource& source);

/// The compilation stored under `key`. GENERAL_FAILURE with the reason for any other files; none of
/// their content is used then.
Result<CachedModel> loadFromCache(const CacheDescriptors& files, const CacheKey& key,
                                  std::uint64_t memoryBytes);

}  // namespace vnpu::driver

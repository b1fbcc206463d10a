// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <vector>

#include "driver/cache/cached_model.h"

namespace vnpu::driver::test {

namespace nn = android::hardware::neuralnetworks;

inline constexpr std::uint64_t kSampleMemoryBytes = 1U << 20;  // of the device it is compiled for

/// A valid model with something in every field, three pools, and a compiled form that fits it.
struct SampleCompilation {
    SampleCompilation();

    CacheSource source() const;

    nn::V1_3::Model model;
    std::vector<std::vector<std::byte>> poolBytes;
    std::vector<PoolView> pools;
    CompiledModel compiled;
};

/// Every field.
void checkSame(const CompiledModel& a, const CompiledModel& b);
/// Everything but the pools' handles and bytes.
void checkSame(const nn::V1_3::Model& a, const nn::V1_3::Model& b);

}  // namespace vnpu::driver::test

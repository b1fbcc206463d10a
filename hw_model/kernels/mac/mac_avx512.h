// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/mac/mac_backend.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace vnpu::hw::kernels::avx512 {

/// Shared by the files of the AVX-512 backend.
inline constexpr std::size_t kLanes = 16;  // 32-bit lanes of a register

inline __mmask16 maskOf(std::size_t lanes) {
    return static_cast<__mmask16>(lanes >= kLanes ? 0xFFFFU : (1U << lanes) - 1U);
}

void depthwiseInt8(const DepthwiseRun& run);
void depthwiseFloat(const DepthwiseRun& run);
void drainInt8(const DrainRun& run);
void drainFloat(const DrainRun& run);

}  // namespace vnpu::hw::kernels::avx512

#endif  // __x86_64__

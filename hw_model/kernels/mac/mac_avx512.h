// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/mac/mac_backend.h"

#if defined(__x86_64__)

#include <immintrin.h>

/// Attributes of functions with AVX-512 instructions; short ones are inlined, so that their values
/// stay in registers.
#define VNPU_AVX512 gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")
#define VNPU_AVX512_INLINE gnu::always_inline, VNPU_AVX512

namespace vnpu::hw::kernels::avx512 {

/// Shared by the files of the AVX-512 backend.
inline constexpr std::size_t kLanes = 16;  // 32-bit lanes of a register

inline __mmask16 maskOf(std::size_t lanes) {
    return static_cast<__mmask16>(lanes >= kLanes ? 0xFFFFU : (1U << lanes) - 1U);
}

/// How 16 lanes are loaded and stored: all of them, or only the first ones. Masked stores cost
/// several times plain ones, so only the last channels are masked.
struct Whole {
    [[VNPU_AVX512_INLINE]] inline __m512i load(const void* from) const {
        return _mm512_loadu_si512(from);
    }
    [[VNPU_AVX512_INLINE]] inline __m128i loadBytes(const void* from) const {
        return _mm_loadu_si128(static_cast<const __m128i*>(from));
    }
    [[VNPU_AVX512_INLINE]] inline void store(void* to, __m512i value) const {
        _mm512_storeu_si512(to, value);
    }
    [[VNPU_AVX512_INLINE]] inline void storeBytes(void* to, __m128i value) const {
        _mm_storeu_si128(static_cast<__m128i*>(to), value);
    }
};

struct Part {
    __mmask16 mask;

    [[VNPU_AVX512_INLINE]] inline __m512i load(const void* from) const {
        return _mm512_maskz_loadu_epi32(mask, from);
    }
    [[VNPU_AVX512_INLINE]] inline __m128i loadBytes(const void* from) const {
        return _mm_maskz_loadu_epi8(mask, from);
    }
    [[VNPU_AVX512_INLINE]] inline void store(void* to, __m512i value) const {
        _mm512_mask_storeu_epi32(to, mask, value);
    }
    [[VNPU_AVX512_INLINE]] inline void storeBytes(void* to, __m128i value) const {
        _mm_mask_storeu_epi8(to, mask, value);
    }
};

void depthwiseInt8(const DepthwiseRun& run);
void depthwiseFloat(const DepthwiseRun& run);
void drainInt8(const DrainRun& run);
void drainFloat(const DrainRun& run);

}  // namespace vnpu::hw::kernels::avx512

#endif  // __x86_64__

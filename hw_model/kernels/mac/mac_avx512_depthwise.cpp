// SPDX-License-Identifier: Apache-2.0
// Depthwise products: lanes are neighboring channels.
#include "hw_model/kernels/mac/mac_avx512.h"

#if defined(__x86_64__)

namespace vnpu::hw::kernels::avx512 {
namespace {

constexpr std::size_t kPixels = 8;  // chosen: their taps share the weights and most cache lines

template <bool IsSigned>
struct ByteTaps {
    static constexpr bool kIsFloat = false;
    static constexpr std::size_t kBytes = 1;

    // The upper half of a weight is zero, so the sum over the pair is a single product.
    template <typename Lanes>
    [[VNPU_AVX512_INLINE]] static inline __m512i multiplyAdd(__m512i acc, const Lanes& lanes,
                                                             const std::byte* source,
                                                             __m512i weight) {
        const __m128i bytes = lanes.loadBytes(source);
        const __m512i value = IsSigned ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);
        return _mm512_dpwssd_epi32(acc, value, weight);
    }
};

struct FloatTaps {
    static constexpr bool kIsFloat = true;
    static constexpr std::size_t kBytes = 4;

    template <typename Lanes>
    [[VNPU_AVX512_INLINE]] static inline __m512i multiplyAdd(__m512i acc, const Lanes& lanes,
                                                             const std::byte* source,
                                                             __m512i weight) {
        return _mm512_castps_si512(_mm512_fmadd_ps(_mm512_castsi512_ps(lanes.load(source)),
                                                   _mm512_castsi512_ps(weight),
                                                   _mm512_castsi512_ps(acc)));
    }
};

// 16 channels of some pixels.
template <typename Taps, std::size_t Pixels, typename Lanes>
[[VNPU_AVX512_INLINE]] inline void computeLanes(const DepthwiseRun& run, std::size_t pixel,
                                                std::size_t channel, const Lanes& lanes) {
    std::int32_t* out =
            reinterpret_cast<std::int32_t*>(run.accumulators) + pixel * run.channels + channel;
    __m512i acc[Pixels];
#pragma GCC unroll 8
    for (std::size_t p = 0; p < Pixels; ++p) {
        acc[p] = run.accumulate ? lanes.load(out + p * run.channels) : _mm512_setzero_si512();
    }
    // sum (x - z) w = sum x w - z sum w
    const __m512i minusZero = _mm512_set1_epi32(-run.zeroPoint);
    __m512i offset = _mm512_setzero_si512();
    const std::size_t first = pixel * run.pixelStep + channel * Taps::kBytes;
    for (std::size_t tap = 0; tap < run.tapCount; ++tap) {
        const __m512i weight = lanes.load(run.weights[tap] + channel);
        const std::byte* source = run.taps[tap] + first;
#pragma GCC unroll 8
        for (std::size_t p = 0; p < Pixels; ++p) {
            acc[p] = Taps::multiplyAdd(acc[p], lanes, source + p * run.pixelStep, weight);
        }
        if constexpr (!Taps::kIsFloat) {
            offset = _mm512_dpwssd_epi32(offset, minusZero, weight);
        }
    }
#pragma GCC unroll 8
    for (std::size_t p = 0; p < Pixels; ++p) {
        const __m512i sum = Taps::kIsFloat ? acc[p] : _mm512_add_epi32(acc[p], offset);
        lanes.store(out + p * run.channels, sum);
    }
}

template <typename Taps, std::size_t Pixels>
[[VNPU_AVX512]] void computePixels(const DepthwiseRun& run, std::size_t pixel) {
    std::size_t channel = run.firstChannel;
    for (; channel + kLanes <= run.channels; channel += kLanes) {
        computeLanes<Taps, Pixels>(run, pixel, channel, Whole{});
    }
    if (channel < run.channels) {
        computeLanes<Taps, Pixels>(run, pixel, channel, Part{maskOf(run.channels - channel)});
    }
}

template <typename Taps>
void depthwise(const DepthwiseRun& run) {
    std::size_t pixel = 0;
    for (; pixel + kPixels <= run.pixels; pixel += kPixels) {
        computePixels<Taps, kPixels>(run, pixel);
    }
    if (pixel + 4 <= run.pixels) {
        computePixels<Taps, 4>(run, pixel);
        pixel += 4;
    }
    for (; pixel < run.pixels; ++pixel) {
        computePixels<Taps, 1>(run, pixel);
    }
}

}  // namespace

void depthwiseInt8(const DepthwiseRun& run) {
    run.isSigned ? depthwise<ByteTaps<true>>(run) : depthwise<ByteTaps<false>>(run);
}

void depthwiseFloat(const DepthwiseRun& run) {
    depthwise<FloatTaps>(run);
}

}  // namespace vnpu::hw::kernels::avx512

#endif  // __x86_64__

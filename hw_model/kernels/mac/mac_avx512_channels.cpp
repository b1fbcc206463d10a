// SPDX-License-Identifier: Apache-2.0
// Depthwise products and drains, which work channel by channel: lanes are neighboring channels.
// Masked stores cost several times plain ones, so only the last channels are masked.
#include "hw_model/kernels/mac/mac_avx512.h"

#if defined(__x86_64__)

namespace vnpu::hw::kernels::avx512 {
namespace {

constexpr std::size_t kPixels = 8;  // chosen: their taps share the weights and most cache lines

// How 16 lanes are loaded and stored: all of them, or only the first ones.
struct Whole {
    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline __m512i
    load(const void* from) const {
        return _mm512_loadu_si512(from);
    }
    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline __m128i
    loadBytes(const void* from) const {
        return _mm_loadu_si128(static_cast<const __m128i*>(from));
    }
    [[gnu::always_inline, gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline void
    store(void* to, __m512i value) const {
        _mm512_storeu_si512(to, value);
    }
    [[gnu::always_inline, gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline void
    storeBytes(void* to, __m128i value) const {
        _mm_storeu_si128(static_cast<__m128i*>(to), value);
    }
};

struct Part {
    __mmask16 mask;

    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline __m512i
    load(const void* from) const {
        return _mm512_maskz_loadu_epi32(mask, from);
    }
    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline __m128i
    loadBytes(const void* from) const {
        return _mm_maskz_loadu_epi8(mask, from);
    }
    [[gnu::always_inline, gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline void
    store(void* to, __m512i value) const {
        _mm512_mask_storeu_epi32(to, mask, value);
    }
    [[gnu::always_inline, gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline void
    storeBytes(void* to, __m128i value) const {
        _mm_mask_storeu_epi8(to, mask, value);
    }
};

template <bool IsSigned>
struct ByteTaps {
    static constexpr bool kIsFloat = false;
    static constexpr std::size_t kBytes = 1;

    // The upper half of a weight is zero, so the sum over the pair is a single product.
    template <typename Lanes>
    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] static inline __m512i
    multiplyAdd(__m512i acc, const Lanes& lanes, const std::byte* source, __m512i weight) {
        const __m128i bytes = lanes.loadBytes(source);
        const __m512i value = IsSigned ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);
        return _mm512_dpwssd_epi32(acc, value, weight);
    }
};

struct FloatTaps {
    static constexpr bool kIsFloat = true;
    static constexpr std::size_t kBytes = 4;

    template <typename Lanes>
    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] static inline __m512i
    multiplyAdd(__m512i acc, const Lanes& lanes, const std::byte* source, __m512i weight) {
        return _mm512_castps_si512(_mm512_fmadd_ps(_mm512_castsi512_ps(lanes.load(source)),
                                                   _mm512_castsi512_ps(weight),
                                                   _mm512_castsi512_ps(acc)));
    }
};

// 16 channels of some pixels.
template <typename Taps, std::size_t Pixels, typename Lanes>
[[gnu::always_inline, gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline void
computeLanes(const DepthwiseRun& run, std::size_t pixel, std::size_t channel, const Lanes& lanes) {
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
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] void computePixels(
        const DepthwiseRun& run, std::size_t pixel) {
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

// The scales of 16 channels and the two rounding steps of their output stage.
template <bool IsUsual>
struct Scale {
    __m512i multiplier, oddMultiplier, left, right, remainderMask, half, zeroPoint;

    template <typename Lanes>
    [[gnu::always_inline,
      gnu::target(
              "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline Scale(const DrainRun& run,
                                                                              std::size_t channel,
                                                                              const Lanes& lanes) {
        const __m512i one = _mm512_set1_epi32(1);
        multiplier = lanes.load(run.multiplier + channel);
        oddMultiplier = _mm512_srli_epi64(multiplier, 32);
        left = lanes.load(run.leftShift + channel);
        right = lanes.load(run.rightShift + channel);
        zeroPoint = _mm512_set1_epi32(run.zeroPoint);
        if constexpr (IsUsual) {
            right = _mm512_sub_epi32(right, one);
            zeroPoint = _mm512_set1_epi32(2 * run.zeroPoint + 1);
        }
        remainderMask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
        half = _mm512_srli_epi32(remainderMask, 1);
    }

    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline __m512i
    operator()(__m512i x) const {
        const __m512i nudge = _mm512_set1_epi64(1LL << 30);
        if constexpr (!IsUsual) {
            x = _mm512_sllv_epi32(x, left);
        }
        // Rounding doubling high multiply, even and odd lanes in 64 bits.
        const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(x, multiplier), nudge);
        const __m512i odd =
                _mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(x, 32), oddMultiplier), nudge);
        x = _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 31), _mm512_slli_epi64(odd, 1));
        const __m512i sign = _mm512_srai_epi32(x, 31);
        if constexpr (IsUsual) {
            // Rounding divide by 2^r, ties away from zero: floor((x - (x < 0)) / 2^(r - 1)) has one
            // bit below the result. From r = 2 on there is room for the zero point.
            x = _mm512_srav_epi32(_mm512_add_epi32(x, sign), right);
            return _mm512_srai_epi32(_mm512_add_epi32(x, zeroPoint), 1);
        }
        // Adds one if the remainder exceeds half, ties away from zero.
        const __m512i remainder = _mm512_and_si512(x, remainderMask);
        const __mmask16 roundUp = _mm512_cmpgt_epi32_mask(remainder, _mm512_sub_epi32(half, sign));
        x = _mm512_add_epi32(_mm512_srav_epi32(x, right), zeroPoint);
        return _mm512_mask_add_epi32(x, roundUp, x, _mm512_set1_epi32(1));
    }
};

// The largest right shift of ScaleAboveZero: the product, up to 2^62, and an 8-bit zero point that
// is shifted by 31 bits more fit 64 bits together.
constexpr std::int32_t kMaxShiftAboveZero = 22;

// The same with a single rounding, for outputs that are clamped at their zero point or above it, as
// after a RELU: floor((floor(a / 2^31) + b) / 2^r) = floor((a + b 2^31) / 2^(31 + r)) for integers,
// and products that round to less than zero, where ties would go the other way, are clamped anyway.
struct ScaleAboveZero {
    __m512i multiplier, oddMultiplier, evenNudge, oddNudge, evenShift, oddShift;

    template <typename Lanes>
    [[gnu::always_inline, gnu::target("avx512f,avx512bw,avx512vl,avx512dq,"
                                      "avx512vnni")]] inline ScaleAboveZero(const DrainRun& run,
                                                                            std::size_t channel,
                                                                            const Lanes& lanes) {
        multiplier = lanes.load(run.multiplier + channel);
        oddMultiplier = _mm512_srli_epi64(multiplier, 32);
        const __m512i right = lanes.load(run.rightShift + channel);
        // Of 64 bits, the even lanes take the lower half and the odd ones the upper half.
        evenShift = _mm512_add_epi64(_mm512_and_si512(right, _mm512_set1_epi64(0xFFFFFFFF)),
                                     _mm512_set1_epi64(31));
        oddShift = _mm512_sub_epi64(_mm512_srli_epi64(right, 32), _mm512_set1_epi64(1));
        evenNudge = nudgeOf(evenShift, run.zeroPoint);
        oddNudge = nudgeOf(_mm512_add_epi64(oddShift, _mm512_set1_epi64(32)), run.zeroPoint);
    }

    // The halves of both roundings and the zero point, for a shift of 31 + r.
    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] static inline __m512i
    nudgeOf(__m512i shift, std::int32_t zeroPoint) {
        const __m512i unit = _mm512_sllv_epi64(_mm512_set1_epi64(1), shift);
        const __m512i halves =
                _mm512_add_epi64(_mm512_srli_epi64(unit, 1), _mm512_set1_epi64(1LL << 30));
        return _mm512_add_epi64(halves, _mm512_sllv_epi64(_mm512_set1_epi64(zeroPoint), shift));
    }

    [[gnu::always_inline,
      gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] inline __m512i
    operator()(__m512i x) const {
        const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(x, multiplier), evenNudge);
        const __m512i odd = _mm512_add_epi64(
                _mm512_mul_epi32(_mm512_srli_epi64(x, 32), oddMultiplier), oddNudge);
        return _mm512_mask_blend_epi32(0xAAAA, _mm512_srav_epi64(even, evenShift),
                                       _mm512_srav_epi64(odd, oddShift));
    }
};

template <typename OutputScale, typename Lanes>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] void drainLanes(
        const DrainRun& run, std::size_t channel, const Lanes& lanes) {
    const OutputScale scale(run, channel, lanes);
    const __m512i bias = lanes.load(run.bias + channel);
    const __m512i low = _mm512_set1_epi32(run.clampMin);
    const __m512i high = _mm512_set1_epi32(run.clampMax);
    const auto* in = reinterpret_cast<const std::int32_t*>(run.accumulators) + channel;
    std::byte* out = run.output + channel;
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        const __m512i x = scale(_mm512_add_epi32(lanes.load(in), bias));
        lanes.storeBytes(out,
                         _mm512_cvtepi32_epi8(_mm512_min_epi32(_mm512_max_epi32(x, low), high)));
        in += run.accumulatorStep;
        out += run.outputStep;
    }
}

// The usual cases are scales far below 1, as in all quantized networks.
template <typename Lanes>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] void drainScaled(
        const DrainRun& run, std::size_t channel, const Lanes& lanes, __mmask16 mask) {
    const __m512i left = lanes.load(run.leftShift + channel);
    const __m512i right = lanes.load(run.rightShift + channel);
    const __m512i most = _mm512_set1_epi32(kMaxShiftAboveZero);
    const bool isDown = _mm512_mask_cmpneq_epi32_mask(mask, left, _mm512_setzero_si512()) == 0 &&
                        _mm512_mask_cmplt_epi32_mask(mask, right, _mm512_set1_epi32(1)) == 0;
    if (isDown && run.clampMin >= run.zeroPoint &&
        _mm512_mask_cmpgt_epi32_mask(mask, right, most) == 0) {
        drainLanes<ScaleAboveZero>(run, channel, lanes);
    } else if (isDown && _mm512_mask_cmplt_epi32_mask(mask, right, _mm512_set1_epi32(2)) == 0) {
        drainLanes<Scale<true>>(run, channel, lanes);
    } else {
        drainLanes<Scale<false>>(run, channel, lanes);
    }
}

template <typename Lanes>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]] void drainFloats(
        const DrainRun& run, std::size_t channel, const Lanes& lanes) {
    const __m512 low = _mm512_castsi512_ps(_mm512_set1_epi32(run.clampMin));
    const __m512 high = _mm512_castsi512_ps(_mm512_set1_epi32(run.clampMax));
    const __m512 bias = _mm512_castsi512_ps(lanes.load(run.bias + channel));
    const auto* in = reinterpret_cast<const float*>(run.accumulators) + channel;
    std::byte* out = run.output + channel * sizeof(float);
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        const __m512 x = _mm512_add_ps(_mm512_castsi512_ps(lanes.load(in)), bias);
        // Both instructions return their second operand if either is a NaN.
        lanes.store(out, _mm512_castps_si512(_mm512_min_ps(high, _mm512_max_ps(low, x))));
        in += run.accumulatorStep;
        out += run.outputStep;
    }
}

}  // namespace

void depthwiseInt8(const DepthwiseRun& run) {
    run.isSigned ? depthwise<ByteTaps<true>>(run) : depthwise<ByteTaps<false>>(run);
}

void depthwiseFloat(const DepthwiseRun& run) {
    depthwise<FloatTaps>(run);
}

void drainInt8(const DrainRun& run) {
    std::size_t channel = 0;
    for (; channel + kLanes <= run.channels; channel += kLanes) {
        drainScaled(run, channel, Whole{}, maskOf(kLanes));
    }
    if (channel < run.channels) {
        const __mmask16 mask = maskOf(run.channels - channel);
        drainScaled(run, channel, Part{mask}, mask);
    }
}

void drainFloat(const DrainRun& run) {
    std::size_t channel = 0;
    for (; channel + kLanes <= run.channels; channel += kLanes) {
        drainFloats(run, channel, Whole{});
    }
    if (channel < run.channels) {
        drainFloats(run, channel, Part{maskOf(run.channels - channel)});
    }
}

}  // namespace vnpu::hw::kernels::avx512

#endif  // __x86_64__

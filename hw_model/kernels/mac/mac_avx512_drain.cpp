// SPDX-License-Identifier: Apache-2.0
// Sums pass the output stage to the output: lanes are neighboring channels.
#include "hw_model/kernels/mac/mac_avx512.h"

#if defined(__x86_64__)

namespace vnpu::hw::kernels::avx512 {
namespace {

// The scales of 16 channels and the two rounding steps of their output stage.
template <bool IsUsual>
struct Scale {
    __m512i multiplier, oddMultiplier, left, right, remainderMask, half, zeroPoint;

    template <typename Lanes>
    [[VNPU_AVX512_INLINE]] inline Scale(const DrainRun& run, std::size_t channel,
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

    [[VNPU_AVX512_INLINE]] inline __m512i operator()(__m512i x) const {
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
    __m512i multiplier, oddMultiplier, evenNudge, oddNudge;
    __m512i shift;  // of the upper half of a product

    template <typename Lanes>
    [[VNPU_AVX512_INLINE]] inline ScaleAboveZero(const DrainRun& run, std::size_t channel,
                                                 const Lanes& lanes) {
        multiplier = lanes.load(run.multiplier + channel);
        oddMultiplier = _mm512_srli_epi64(multiplier, 32);
        const __m512i right = lanes.load(run.rightShift + channel);
        const __m512i even = _mm512_and_si512(right, _mm512_set1_epi64(0xFFFFFFFF));
        evenNudge = nudgeOf(even, run.zeroPoint);
        oddNudge = nudgeOf(_mm512_srli_epi64(right, 32), run.zeroPoint);
        shift = _mm512_sub_epi32(right, _mm512_set1_epi32(1));
    }

    // The halves of both roundings and the zero point, for right shifts r: the sum is shifted by
    // 31 + r.
    [[VNPU_AVX512_INLINE]] static inline __m512i nudgeOf(__m512i right, std::int32_t zeroPoint) {
        const __m512i shift = _mm512_add_epi64(right, _mm512_set1_epi64(31));
        const __m512i unit = _mm512_sllv_epi64(_mm512_set1_epi64(1), shift);
        const __m512i halves =
                _mm512_add_epi64(_mm512_srli_epi64(unit, 1), _mm512_set1_epi64(1LL << 30));
        return _mm512_add_epi64(halves, _mm512_sllv_epi64(_mm512_set1_epi64(zeroPoint), shift));
    }

    [[VNPU_AVX512_INLINE]] inline __m512i operator()(__m512i x) const {
        const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(x, multiplier), evenNudge);
        const __m512i odd = _mm512_add_epi64(
                _mm512_mul_epi32(_mm512_srli_epi64(x, 32), oddMultiplier), oddNudge);
        // The upper half of each, side by side.
        const __m512i high = _mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_DDBB);
        return _mm512_srav_epi32(high, shift);
    }
};

// Bias and scale of 16 channels.
template <typename OutputScale>
struct Stage {
    OutputScale scale;
    __m512i bias;

    template <typename Lanes>
    [[VNPU_AVX512_INLINE]] inline Stage(const DrainRun& run, std::size_t channel,
                                        const Lanes& lanes)
        : scale(run, channel, lanes), bias(lanes.load(run.bias + channel)) {}

    [[VNPU_AVX512_INLINE]] inline __m512i operator()(__m512i sum) const {
        return scale(_mm512_add_epi32(sum, bias));
    }
};

template <typename OutputScale, typename Lanes>
[[VNPU_AVX512]] void drainLanes(const DrainRun& run, std::size_t channel, const Lanes& lanes) {
    const Stage<OutputScale> stage(run, channel, lanes);
    const __m512i low = _mm512_set1_epi32(run.clampMin);
    const __m512i high = _mm512_set1_epi32(run.clampMax);
    const auto* in = reinterpret_cast<const std::int32_t*>(run.accumulators) + channel;
    std::byte* out = run.output + channel;
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        const __m512i x = stage(lanes.load(in));
        lanes.storeBytes(out,
                         _mm512_cvtepi32_epi8(_mm512_min_epi32(_mm512_max_epi32(x, low), high)));
        in += run.accumulatorStep;
        out += run.outputStep;
    }
}

// 32 channels, two pixels at a time. Results are narrowed with saturation before they are clamped,
// as signed bytes; unsigned ones are therefore computed less 128.
template <typename OutputScale>
[[VNPU_AVX512]] void drainPixelPairs(DrainRun run, std::size_t channel) {
    const std::int32_t excess = run.clampMax > INT8_MAX ? 128 : 0;
    run.zeroPoint -= excess;
    run.clampMin -= excess;
    run.clampMax -= excess;
    const Stage<OutputScale> lower(run, channel, Whole{});
    const Stage<OutputScale> upper(run, channel + kLanes, Whole{});
    const __m512i low = _mm512_set1_epi8(static_cast<char>(run.clampMin));
    const __m512i high = _mm512_set1_epi8(static_cast<char>(run.clampMax));
    const __m512i flips = _mm512_set1_epi8(static_cast<char>(excess));
    // Narrowing works within 128 bits: four channels of the lower 16, of the upper, of the next
    // pixel.
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const auto* in = reinterpret_cast<const std::int32_t*>(run.accumulators) + channel;
    std::byte* out = run.output + channel;
    for (std::size_t pixel = 0; pixel < run.pixels; pixel += 2) {
        // The last of an odd number of pixels is its own neighbor.
        const bool isPair = pixel + 1 < run.pixels;
        const std::int32_t* const secondIn = isPair ? in + run.accumulatorStep : in;
        std::byte* const secondOut = isPair ? out + run.outputStep : out;
        const __m512i first = _mm512_packs_epi32(lower(_mm512_loadu_si512(in)),
                                                 upper(_mm512_loadu_si512(in + kLanes)));
        const __m512i second = _mm512_packs_epi32(lower(_mm512_loadu_si512(secondIn)),
                                                  upper(_mm512_loadu_si512(secondIn + kLanes)));
        const __m512i bytes = _mm512_packs_epi16(first, second);
        const __m512i clamped =
                _mm512_xor_si512(_mm512_min_epi8(_mm512_max_epi8(bytes, low), high), flips);
        const __m512i ordered = _mm512_permutexvar_epi32(order, clamped);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(secondOut),
                            _mm512_extracti64x4_epi64(ordered, 1));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_castsi512_si256(ordered));
        in += 2 * run.accumulatorStep;
        out += 2 * run.outputStep;
    }
}

// Scales far below 1 are usual: all quantized networks have them.
enum class ScaleKind { kAny, kDown, kDownAboveZero };

template <typename Lanes>
[[VNPU_AVX512]] ScaleKind scaleKind(const DrainRun& run, std::size_t channel, const Lanes& lanes,
                                    __mmask16 mask) {
    const __m512i left = lanes.load(run.leftShift + channel);
    const __m512i right = lanes.load(run.rightShift + channel);
    const __m512i most = _mm512_set1_epi32(kMaxShiftAboveZero);
    const bool isDown = _mm512_mask_cmpneq_epi32_mask(mask, left, _mm512_setzero_si512()) == 0 &&
                        _mm512_mask_cmplt_epi32_mask(mask, right, _mm512_set1_epi32(1)) == 0;
    if (isDown && run.clampMin >= run.zeroPoint &&
        _mm512_mask_cmpgt_epi32_mask(mask, right, most) == 0) {
        return ScaleKind::kDownAboveZero;
    }
    return isDown && _mm512_mask_cmplt_epi32_mask(mask, right, _mm512_set1_epi32(2)) == 0
                   ? ScaleKind::kDown
                   : ScaleKind::kAny;
}

template <typename Lanes>
[[VNPU_AVX512]] void drainScaled(const DrainRun& run, std::size_t channel, const Lanes& lanes,
                                 __mmask16 mask) {
    switch (scaleKind(run, channel, lanes, mask)) {
        case ScaleKind::kDownAboveZero:
            return drainLanes<ScaleAboveZero>(run, channel, lanes);
        case ScaleKind::kDown:
            return drainLanes<Scale<true>>(run, channel, lanes);
        case ScaleKind::kAny:
            return drainLanes<Scale<false>>(run, channel, lanes);
    }
}

template <typename Lanes>
[[VNPU_AVX512]] void drainFloats(const DrainRun& run, std::size_t channel, const Lanes& lanes) {
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

void drainInt8(const DrainRun& run) {
    std::size_t channel = 0;
    for (; channel + 2 * kLanes <= run.channels; channel += 2 * kLanes) {
        const ScaleKind kind = scaleKind(run, channel, Whole{}, maskOf(kLanes));
        if (kind != ScaleKind::kAny &&
            kind == scaleKind(run, channel + kLanes, Whole{}, maskOf(kLanes))) {
            kind == ScaleKind::kDown ? drainPixelPairs<Scale<true>>(run, channel)
                                     : drainPixelPairs<ScaleAboveZero>(run, channel);
        } else {
            drainScaled(run, channel, Whole{}, maskOf(kLanes));
            drainScaled(run, channel + kLanes, Whole{}, maskOf(kLanes));
        }
    }
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

// SPDX-License-Identifier: Apache-2.0
// Each function has its own target attribute, so that the rest of the program, inline functions of
// headers included, is compiled for the base instruction set.
#include "hw_model/kernels/mac/mac_backend.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kLanes = 8;  // 32-bit lanes of a register
static_assert(kPanelColumns == 2 * kLanes);

struct PairArithmetic {
    [[gnu::always_inline, gnu::target("avx2,fma")]] static inline __m256i multiplyAdd(__m256i acc,
                                                                                      __m256i a,
                                                                                      __m256i b) {
        return _mm256_add_epi32(acc, _mm256_madd_epi16(a, b));
    }
};

struct FloatArithmetic {
    [[gnu::always_inline, gnu::target("avx2,fma")]] static inline __m256i multiplyAdd(__m256i acc,
                                                                                      __m256i a,
                                                                                      __m256i b) {
        return _mm256_castps_si256(_mm256_fmadd_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b),
                                                   _mm256_castsi256_ps(acc)));
    }
};

[[gnu::target("avx2,fma")]] __m256i maskOf(std::size_t lanes) {
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(lanes < kLanes ? lanes : kLanes)),
                              index);
}

[[gnu::always_inline, gnu::target("avx2,fma")]] inline __m256i load(const void* address) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(address));
}

// One register tile: Rows x 16 accumulators stay in registers over the whole reduction.
template <typename Arithmetic, std::size_t Rows>
[[gnu::target("avx2,fma")]] void tile(const GemmBlock& g, std::size_t row, std::size_t column) {
    __m256i acc[Rows][2];
    const std::size_t columns = g.columns - column;
    const __m256i masks[2] = {maskOf(columns), maskOf(columns > kLanes ? columns - kLanes : 0)};
    std::byte* out = g.accumulators + (row * g.accumulatorStride + column) * sizeof(std::int32_t);
    const std::size_t outStride = g.accumulatorStride * sizeof(std::int32_t);
    const auto at = [&](std::size_t r, std::size_t half) {
        return reinterpret_cast<int*>(out + r * outStride + half * sizeof(__m256i));
    };
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
        acc[r][0] =
                g.accumulate ? _mm256_maskload_epi32(at(r, 0), masks[0]) : _mm256_setzero_si256();
        acc[r][1] =
                g.accumulate ? _mm256_maskload_epi32(at(r, 1), masks[1]) : _mm256_setzero_si256();
    }
    constexpr std::size_t kBases = (Rows + 2) / 3;
    const std::size_t stride = g.leftStride;
    const std::byte* bases[kBases];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBases; ++i) {
        bases[i] = g.left + (row + 3 * i) * stride;
    }
    const std::uint32_t* right = g.panels + column / kPanelColumns * g.panelStride;
    for (std::size_t k = 0; k < g.words; ++k) {
        const __m256i b0 = load(right);
        const __m256i b1 = load(right + kLanes);
        right += kPanelColumns;
#pragma GCC unroll 8
        for (std::size_t r = 0; r < Rows; ++r) {
            const __m256i a =
                    _mm256_broadcastd_epi32(_mm_loadu_si32(bases[r / 3] + r % 3 * stride));
            acc[r][0] = Arithmetic::multiplyAdd(acc[r][0], a, b0);
            acc[r][1] = Arithmetic::multiplyAdd(acc[r][1], a, b1);
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kBases; ++i) {
            bases[i] += sizeof(std::uint32_t);
        }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
        _mm256_maskstore_epi32(at(r, 0), masks[0], acc[r][0]);
        _mm256_maskstore_epi32(at(r, 1), masks[1], acc[r][1]);
    }
}

template <typename Arithmetic>
void gemm(const GemmBlock& g) {
    for (std::size_t column = 0; column < g.columns; column += kPanelColumns) {
        std::size_t row = 0;
        for (; row + 6 <= g.rows; row += 6) {
            tile<Arithmetic, 6>(g, row, column);
        }
        for (; row + 2 <= g.rows; row += 2) {
            tile<Arithmetic, 2>(g, row, column);
        }
        if (row < g.rows) {
            tile<Arithmetic, 1>(g, row, column);
        }
    }
}

[[gnu::target("avx2,fma")]] void widen(const std::byte* source, std::size_t count, bool isSigned,
                                       std::int32_t zeroPoint, std::byte* destination) {
    const __m128i flip = _mm_set1_epi8(static_cast<char>(isSigned ? 0x80 : 0));
    const __m256i offset =
            _mm256_set1_epi16(static_cast<std::int16_t>(zeroPoint + (isSigned ? 128 : 0)));
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m128i bytes =
                _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i)), flip);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(destination + 2 * i),
                            _mm256_sub_epi16(_mm256_cvtepu8_epi16(bytes), offset));
    }
    kEigenBackend.widen(source + i, count - i, isSigned, zeroPoint, destination + 2 * i);
}

// Transposes 8 x 8 words.
[[gnu::target("avx2,fma")]] void transpose(const std::byte* rows, std::size_t strideBytes,
                                           std::uint32_t* panel) {
    __m256i a[8];
    __m256i b[8];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < 8; ++r) {
        a[r] = load(rows + r * strideBytes);
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < 8; r += 4) {
        const __m256i low01 = _mm256_unpacklo_epi32(a[r], a[r + 1]);
        const __m256i high01 = _mm256_unpackhi_epi32(a[r], a[r + 1]);
        const __m256i low23 = _mm256_unpacklo_epi32(a[r + 2], a[r + 3]);
        const __m256i high23 = _mm256_unpackhi_epi32(a[r + 2], a[r + 3]);
        b[r] = _mm256_unpacklo_epi64(low01, low23);
        b[r + 1] = _mm256_unpackhi_epi64(low01, low23);
        b[r + 2] = _mm256_unpacklo_epi64(high01, high23);
        b[r + 3] = _mm256_unpackhi_epi64(high01, high23);
    }
    // b[4g + j] holds, in lane l, column 4l + j of rows 4g to 4g + 3.
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 4; ++j) {
        const auto store = reinterpret_cast<__m256i*>(panel + j * kPanelColumns);
        _mm256_storeu_si256(store, _mm256_permute2x128_si256(b[j], b[j + 4], 0x20));
        const auto storeHigh = reinterpret_cast<__m256i*>(panel + (j + 4) * kPanelColumns);
        _mm256_storeu_si256(storeHigh, _mm256_permute2x128_si256(b[j], b[j + 4], 0x31));
    }
}

void packPanel(const std::byte* rows, std::size_t strideBytes, std::size_t words,
               std::uint32_t* panel) {
    std::size_t k = 0;
    for (; k + kLanes <= words; k += kLanes) {
        const std::byte* first = rows + k * sizeof(std::uint32_t);
        std::uint32_t* const to = panel + k * kPanelColumns;
        transpose(first, strideBytes, to);
        transpose(first + kLanes * strideBytes, strideBytes, to + kLanes);
    }
    kEigenBackend.packPanel(rows + k * sizeof(std::uint32_t), strideBytes, words - k,
                            panel + k * kPanelColumns);
}

template <bool IsSigned>
[[gnu::target("avx2,fma")]] void depthwiseBytes(const DepthwiseRun& run, std::size_t lastChannel) {
    const __m256i zeroPoint = _mm256_set1_epi32(run.zeroPoint);
    for (std::size_t c = run.firstChannel; c < lastChannel; c += kLanes) {
        for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
            const auto out = reinterpret_cast<__m256i*>(
                    run.accumulators + (pixel * run.channels + c) * sizeof(std::int32_t));
            __m256i acc = run.accumulate ? load(out) : _mm256_setzero_si256();
            const std::size_t offset = pixel * run.pixelStep + c;
            for (std::size_t tap = 0; tap < run.tapCount; ++tap) {
                const __m128i bytes =
                        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(run.taps[tap] + offset));
                const __m256i value =
                        IsSigned ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
                // The upper half of a weight is zero, so the sum over the pair is a single product.
                acc = PairArithmetic::multiplyAdd(acc, _mm256_sub_epi32(value, zeroPoint),
                                                  load(run.weights[tap] + c));
            }
            _mm256_storeu_si256(out, acc);
        }
    }
}

[[gnu::target("avx2,fma")]] void depthwiseFloats(const DepthwiseRun& run, std::size_t lastChannel) {
    for (std::size_t c = run.firstChannel; c < lastChannel; c += kLanes) {
        for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
            const auto out = reinterpret_cast<__m256i*>(run.accumulators +
                                                        (pixel * run.channels + c) * sizeof(float));
            __m256i acc = run.accumulate ? load(out) : _mm256_setzero_si256();
            const std::size_t offset = pixel * run.pixelStep + c * sizeof(float);
            for (std::size_t tap = 0; tap < run.tapCount; ++tap) {
                acc = FloatArithmetic::multiplyAdd(acc, load(run.taps[tap] + offset),
                                                   load(run.weights[tap] + c));
            }
            _mm256_storeu_si256(out, acc);
        }
    }
}

// The channels after the last whole register.
DepthwiseRun restOf(const DepthwiseRun& run, std::size_t firstChannel) {
    DepthwiseRun rest = run;
    rest.firstChannel = firstChannel;
    return rest;
}

std::size_t wholeRegisters(const DepthwiseRun& run) {
    return run.firstChannel + (run.channels - run.firstChannel) / kLanes * kLanes;
}

void depthwiseInt8(const DepthwiseRun& run) {
    const std::size_t last = wholeRegisters(run);
    run.isSigned ? depthwiseBytes<true>(run, last) : depthwiseBytes<false>(run, last);
    kEigenBackend.depthwiseInt8(restOf(run, last));
}

void depthwiseFloat(const DepthwiseRun& run) {
    const std::size_t last = wholeRegisters(run);
    depthwiseFloats(run, last);
    kEigenBackend.depthwiseFloat(restOf(run, last));
}

[[gnu::target("avx2,fma")]] void drainRegisters(const DrainRun& run, std::size_t lastChannel) {
    const __m256i nudge = _mm256_set1_epi64x(1LL << 30);
    const __m256i zeroPoint = _mm256_set1_epi32(run.zeroPoint);
    const __m256i low = _mm256_set1_epi32(run.clampMin);
    const __m256i high = _mm256_set1_epi32(run.clampMax);
    const __m256i one = _mm256_set1_epi32(1);
    // The low byte of each word, to the first four bytes of its 128-bit lane.
    const __m256i lowBytes =
            _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8,
                             12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    for (std::size_t c = 0; c < lastChannel; c += kLanes) {
        const __m256i bias = load(run.bias + c);
        const __m256i multiplier = load(run.multiplier + c);
        const __m256i oddMultiplier = _mm256_srli_epi64(multiplier, 32);
        const __m256i left = load(run.leftShift + c);
        const __m256i right = load(run.rightShift + c);
        const __m256i remainderMask = _mm256_sub_epi32(_mm256_sllv_epi32(one, right), one);
        const __m256i half = _mm256_srli_epi32(remainderMask, 1);
        for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
            __m256i x = load(run.accumulators +
                             (pixel * run.accumulatorStep + c) * sizeof(std::int32_t));
            x = _mm256_sllv_epi32(_mm256_add_epi32(x, bias), left);
            // Rounding doubling high multiply, even and odd lanes in 64 bits.
            const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(x, multiplier), nudge);
            const __m256i odd = _mm256_add_epi64(
                    _mm256_mul_epi32(_mm256_srli_epi64(x, 32), oddMultiplier), nudge);
            x = _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xAA);
            // Rounding divide by a power of two: adds one if the remainder exceeds half, ties away
            // from zero.
            const __m256i remainder = _mm256_and_si256(x, remainderMask);
            const __m256i threshold = _mm256_sub_epi32(half, _mm256_srai_epi32(x, 31));
            const __m256i roundUp = _mm256_cmpgt_epi32(remainder, threshold);
            x = _mm256_sub_epi32(_mm256_srav_epi32(x, right), roundUp);
            x = _mm256_add_epi32(x, zeroPoint);
            x = _mm256_min_epi32(_mm256_max_epi32(x, low), high);
            x = _mm256_shuffle_epi8(x, lowBytes);
            const __m128i bytes =
                    _mm_unpacklo_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
            _mm_storel_epi64(reinterpret_cast<__m128i*>(run.output + pixel * run.outputStep + c),
                             bytes);
        }
    }
}

void drainInt8(const DrainRun& run) {
    const std::size_t last = run.channels / kLanes * kLanes;
    drainRegisters(run, last);
    kEigenBackend.drainInt8(run.from(last, sizeof(std::int8_t)));
}

[[gnu::target("avx2,fma")]] void drainFloatRegisters(const DrainRun& run, std::size_t lastChannel) {
    const __m256 low = _mm256_castsi256_ps(_mm256_set1_epi32(run.clampMin));
    const __m256 high = _mm256_castsi256_ps(_mm256_set1_epi32(run.clampMax));
    for (std::size_t c = 0; c < lastChannel; c += kLanes) {
        const __m256 bias = _mm256_castsi256_ps(load(run.bias + c));
        for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
            const std::byte* in =
                    run.accumulators + (pixel * run.accumulatorStep + c) * sizeof(float);
            const __m256 x = _mm256_add_ps(_mm256_castsi256_ps(load(in)), bias);
            // Both instructions return their second operand if either is a NaN.
            const __m256 clamped = _mm256_min_ps(high, _mm256_max_ps(low, x));
            _mm256_storeu_ps(reinterpret_cast<float*>(run.output + pixel * run.outputStep +
                                                      c * sizeof(float)),
                             clamped);
        }
    }
}

void drainFloat(const DrainRun& run) {
    const std::size_t last = run.channels / kLanes * kLanes;
    drainFloatRegisters(run, last);
    kEigenBackend.drainFloat(run.from(last, sizeof(float)));
}

}  // namespace

const MacBackend kAvx2Backend = {.name = "avx2",
                                 .level = ProcessorLevel::kAvx2,
                                 .widen = widen,
                                 .packPanel = packPanel,
                                 .gemmColumns = 2 * kPanelColumns,
                                 .gemmFloat = gemm<FloatArithmetic>,
                                 .gemmInt16 = gemm<PairArithmetic>,
                                 .gemmInt8 = nullptr,
                                 .sumPanel = nullptr,
                                 .sumBytes = nullptr,
                                 .depthwiseInt8 = depthwiseInt8,
                                 .depthwiseFloat = depthwiseFloat,
                                 .drainInt8 = drainInt8,
                                 .drainFloat = drainFloat};

}  // namespace vnpu::hw::kernels

#endif  // __x86_64__

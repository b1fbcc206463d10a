// SPDX-License-Identifier: Apache-2.0
// Each function has its own target attribute, so that the rest of the program, inline functions of
// headers included, is compiled for the base instruction set.
#include "hw_model/kernels/mac/mac_avx512.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>
#include <utility>

namespace vnpu::hw::kernels {
namespace {

using avx512::kLanes;
using avx512::maskOf;
static_assert(kPanelColumns == kLanes);

// Accumulators have the operand type of the multiply-add instruction, so that the compiler makes no
// copies and all of them fit the registers.
struct ByteArithmetic {
    using Register [[gnu::vector_size(64)]] = int;
    static constexpr bool kHasOffsets = true;
    [[VNPU_AVX512_INLINE]] static inline Register load(__mmask16 mask, const std::byte* from) {
        return (Register)_mm512_maskz_loadu_epi32(mask, from);
    }
    [[VNPU_AVX512_INLINE]] static inline void store(std::byte* to, __mmask16 mask, Register value) {
        _mm512_mask_storeu_epi32(to, mask, (__m512i)value);
    }
    [[VNPU_AVX512_INLINE]] static inline Register multiplyAdd(Register acc, std::int32_t a,
                                                              __m512i b) {
        return (Register)_mm512_dpbusd_epi32((__m512i)acc, _mm512_set1_epi32(a), b);
    }
    [[VNPU_AVX512_INLINE]] static inline Register add(Register a, __m512i b) {
        return (Register)_mm512_add_epi32((__m512i)a, b);
    }
};

struct FloatArithmetic {
    using Register [[gnu::vector_size(64)]] = float;
    static constexpr bool kHasOffsets = false;
    [[VNPU_AVX512_INLINE]] static inline Register load(__mmask16 mask, const std::byte* from) {
        return _mm512_maskz_loadu_ps(mask, from);
    }
    [[VNPU_AVX512_INLINE]] static inline void store(std::byte* to, __mmask16 mask, Register value) {
        _mm512_mask_storeu_ps(to, mask, value);
    }
    [[VNPU_AVX512_INLINE]] static inline Register multiplyAdd(Register acc, std::int32_t a,
                                                              __m512i b) {
        return _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_set1_epi32(a)), _mm512_castsi512_ps(b),
                               acc);
    }
};

// A register of the accumulators before the reduction.
template <typename Arithmetic>
[[VNPU_AVX512_INLINE]] inline typename Arithmetic::Register startOf(const GemmBlock& g,
                                                                    __mmask16 mask,
                                                                    const std::byte* out,
                                                                    std::size_t row,
                                                                    std::size_t column) {
    typename Arithmetic::Register start =
            g.accumulate ? Arithmetic::load(mask, out) : typename Arithmetic::Register{};
    if constexpr (Arithmetic::kHasOffsets) {
        if (g.columnOffsets != nullptr) {
            start = Arithmetic::add(start, _mm512_loadu_si512(g.columnOffsets + column));
        }
        if (g.rowOffsets != nullptr) {
            start = Arithmetic::add(start, _mm512_set1_epi32(g.rowOffsets[row]));
        }
    }
    return start;
}

// One register tile: Rows x (Panels * 16) accumulators stay in registers over the whole reduction.
// Meanwhile a panel's worth of `next`, if not null, is fetched into the L2 cache.
template <typename Arithmetic, std::size_t Rows, std::size_t Panels>
[[VNPU_AVX512]] void tile(const GemmBlock& g, std::size_t row, std::size_t column,
                          const std::byte* next) {
    typename Arithmetic::Register acc[Rows][Panels];
    __mmask16 masks[Panels];
    for (std::size_t p = 0; p < Panels; ++p) {
        masks[p] = maskOf(g.columns - column - p * kLanes);
    }
    std::byte* out = g.accumulators + (row * g.accumulatorStride + column) * sizeof(std::int32_t);
    const std::size_t outStride = g.accumulatorStride * sizeof(std::int32_t);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Panels; ++p) {
            acc[r][p] = startOf<Arithmetic>(g, masks[p], out + r * outStride + p * sizeof(__m512i),
                                            row + r, column + p * kLanes);
        }
    }
    // Three rows share a base pointer: base, base + stride and base + 2 * stride are single
    // addressing modes.
    constexpr std::size_t kBases = (Rows + 2) / 3;
    const std::size_t stride = g.leftStride;
    const std::byte* bases[kBases];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kBases; ++i) {
        bases[i] = g.left + (row + 3 * i) * stride;
    }
    const std::uint32_t* right = g.panels + column / kLanes * g.panelStride;
    const std::size_t panelStride = g.panelStride;
    for (std::size_t k = 0; k < g.words; ++k) {
        if (next != nullptr) {
            _mm_prefetch(next + k % kLanes * g.nextStride + k / kLanes * sizeof(__m512i),
                         _MM_HINT_T1);
        }
        __m512i b[Panels];
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Panels; ++p) {
            b[p] = _mm512_loadu_si512(right + p * panelStride);
        }
        right += kLanes;
#pragma GCC unroll 16
        for (std::size_t r = 0; r < Rows; ++r) {
            std::int32_t a;
            __builtin_memcpy(&a, bases[r / 3] + r % 3 * stride, sizeof(a));
#pragma GCC unroll 4
            for (std::size_t p = 0; p < Panels; ++p) {
                acc[r][p] = Arithmetic::multiplyAdd(acc[r][p], a, b[p]);
            }
        }
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kBases; ++i) {
            bases[i] += sizeof(std::uint32_t);
        }
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Panels; ++p) {
            Arithmetic::store(out + r * outStride + p * sizeof(__m512i), masks[p], acc[r][p]);
        }
    }
}

constexpr std::size_t kTileRows = 14;  // 28 accumulators, two panels and one step of a row

template <typename Arithmetic, std::size_t Panels, std::size_t... Index>
constexpr auto tilesOf(std::index_sequence<Index...> /*rows less one*/) {
    return std::array<void (*)(const GemmBlock&, std::size_t, std::size_t, const std::byte*),
                      sizeof...(Index)>{tile<Arithmetic, Index + 1, Panels>...};
}

// All rows, in tiles of nearly equal height: a low tile causes as much memory traffic as a full
// one.
template <typename Arithmetic, std::size_t Panels>
void rowsOfTiles(const GemmBlock& g, std::size_t column) {
    static constexpr auto kTiles =
            tilesOf<Arithmetic, Panels>(std::make_index_sequence<kTileRows>());
    std::size_t row = 0;
    std::size_t nextRow = 0;
    for (std::size_t tiles = (g.rows + kTileRows - 1) / kTileRows; tiles > 0; --tiles) {
        const std::size_t rows = (g.rows - row + tiles - 1) / tiles;
        const bool hasNext = g.next != nullptr && nextRow < g.columns;
        kTiles[rows - 1](g, row, column, hasNext ? g.next + nextRow * g.nextStride : nullptr);
        row += rows;
        nextRow += kPanelColumns;
    }
}

template <typename Arithmetic>
void gemm(const GemmBlock& g) {
    std::size_t column = 0;
    for (; column + kLanes < g.columns; column += 2 * kLanes) {
        rowsOfTiles<Arithmetic, 2>(g, column);
    }
    if (column < g.columns) {
        rowsOfTiles<Arithmetic, 1>(g, column);
    }
}

[[VNPU_AVX512]] void widen(const std::byte* source, std::size_t count, bool isSigned,
                           std::int32_t zeroPoint, std::byte* destination) {
    const __m256i flip = _mm256_set1_epi8(static_cast<char>(isSigned ? 0x80 : 0));
    const __m512i offset =
            _mm512_set1_epi16(static_cast<std::int16_t>(zeroPoint + (isSigned ? 128 : 0)));
    for (std::size_t i = 0; i < count; i += 32) {
        const std::size_t left = count - i;
        const __mmask32 mask = left >= 32 ? ~0U : (1U << left) - 1U;
        const __m256i bytes = _mm256_xor_si256(_mm256_maskz_loadu_epi8(mask, source + i), flip);
        _mm512_mask_storeu_epi16(destination + 2 * i, mask,
                                 _mm512_sub_epi16(_mm512_cvtepu8_epi16(bytes), offset));
    }
}

// Transposes the 16 x 16 words of `rows`; words beyond `words` are not stored.
[[VNPU_AVX512]] void transpose(const std::byte* rows, std::size_t strideBytes, std::size_t words,
                               std::uint32_t* panel) {
    const __mmask16 mask = maskOf(words);
    __m512i a[16];
    __m512i b[16];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < 16; ++r) {
        a[r] = _mm512_maskz_loadu_epi32(mask, rows + r * strideBytes);
    }
    // Within each 128-bit lane: interleave words, then double words, of four rows.
#pragma GCC unroll 16
    for (std::size_t r = 0; r < 16; r += 4) {
        const __m512i low01 = _mm512_unpacklo_epi32(a[r], a[r + 1]);
        const __m512i high01 = _mm512_unpackhi_epi32(a[r], a[r + 1]);
        const __m512i low23 = _mm512_unpacklo_epi32(a[r + 2], a[r + 3]);
        const __m512i high23 = _mm512_unpackhi_epi32(a[r + 2], a[r + 3]);
        b[r] = _mm512_unpacklo_epi64(low01, low23);
        b[r + 1] = _mm512_unpackhi_epi64(low01, low23);
        b[r + 2] = _mm512_unpacklo_epi64(high01, high23);
        b[r + 3] = _mm512_unpackhi_epi64(high01, high23);
    }
    // b[4g + j] holds, in lane l, column 4l + j of rows 4g to 4g + 3. Now transpose the lanes.
#pragma GCC unroll 16
    for (std::size_t j = 0; j < 4; ++j) {
        const __m512i even01 = _mm512_shuffle_i32x4(b[j], b[j + 4], 0x88);
        const __m512i odd01 = _mm512_shuffle_i32x4(b[j], b[j + 4], 0xDD);
        const __m512i even23 = _mm512_shuffle_i32x4(b[j + 8], b[j + 12], 0x88);
        const __m512i odd23 = _mm512_shuffle_i32x4(b[j + 8], b[j + 12], 0xDD);
        a[j] = _mm512_shuffle_i32x4(even01, even23, 0x88);
        a[j + 8] = _mm512_shuffle_i32x4(even01, even23, 0xDD);
        a[j + 4] = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
        a[j + 12] = _mm512_shuffle_i32x4(odd01, odd23, 0xDD);
    }
#pragma GCC unroll 16
    for (std::size_t k = 0; k < 16; ++k) {
        if (k < words) {
            _mm512_storeu_si512(panel + k * kLanes, a[k]);
        }
    }
}

void packPanel(const std::byte* rows, std::size_t strideBytes, std::size_t words,
               std::uint32_t* panel) {
    const std::byte* next = rows + kPanelColumns * strideBytes;
    for (std::size_t k = 0; k < words; k += kLanes) {
        // For a filter in SRAM, the next 16 rows are packed next.
        for (std::size_t line = 0; line < kPanelColumns; ++line) {
            _mm_prefetch(next, _MM_HINT_T1);
            next += sizeof(__m512i);
        }
        transpose(rows + k * sizeof(std::uint32_t), strideBytes, words - k,
                  panel + k * kPanelColumns);
    }
}

[[VNPU_AVX512]] void sumPanel(const std::uint32_t* panel, std::size_t words, std::int32_t* sums) {
    const __m512i ones = _mm512_set1_epi8(1);
    // Independent sums, because each addition waits for the one before it.
    constexpr std::size_t kSums = 4;
    __m512i sum[kSums] = {};
    for (std::size_t k = 0; k < words; k += kSums) {
#pragma GCC unroll 4
        for (std::size_t i = 0; i < kSums; ++i) {
            const __m512i word = _mm512_maskz_loadu_epi32(maskOf(k + i < words ? kLanes : 0),
                                                          panel + (k + i) * kPanelColumns);
            sum[i] = _mm512_dpbusd_epi32(sum[i], ones, word);
        }
    }
    _mm512_storeu_si512(sums, _mm512_add_epi32(_mm512_add_epi32(sum[0], sum[1]),
                                               _mm512_add_epi32(sum[2], sum[3])));
}

[[VNPU_AVX512]] std::int32_t sumBytes(const std::byte* bytes, std::size_t count) {
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t i = 0; i < count; i += sizeof(__m512i)) {
        const std::size_t left = count - i;
        const __mmask64 mask = left >= sizeof(__m512i) ? ~0ULL : (1ULL << left) - 1ULL;
        sum = _mm512_dpbusd_epi32(sum, _mm512_maskz_loadu_epi8(mask, bytes + i), ones);
    }
    return _mm512_reduce_add_epi32(sum);
}

}  // namespace

const MacBackend kAvx512Backend = {.name = "avx512",
                                   .level = ProcessorLevel::kAvx512,
                                   .widen = widen,
                                   .packPanel = packPanel,
                                   .gemmColumns = 2 * kPanelColumns,
                                   .gemmFloat = gemm<FloatArithmetic>,
                                   .gemmInt16 = nullptr,
                                   .gemmInt8 = gemm<ByteArithmetic>,
                                   .sumPanel = sumPanel,
                                   .sumBytes = sumBytes,
                                   .depthwiseInt8 = avx512::depthwiseInt8,
                                   .depthwiseFloat = avx512::depthwiseFloat,
                                   .drainInt8 = avx512::drainInt8,
                                   .drainFloat = avx512::drainFloat};

}  // namespace vnpu::hw::kernels

#endif  // __x86_64__

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The code of weights in memory, which the compiler writes and the decoder of a DMA channel reads
// (DmaTransfer::codedBytes). README.md describes it with an example.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "hw_model/regs/crc16.h"

namespace vnpu::hw {

/// Symbols of the code: 16 classes of values, and 8 classes of runs of zeros.
inline constexpr std::size_t kValueClasses = 16;
inline constexpr std::size_t kRunClasses = 8;
inline constexpr std::size_t kWeightSymbols = kValueClasses + kRunClasses;
inline constexpr unsigned kMostCodeBits = 10;  // chosen: one look-up in 1,024 entries per symbol
inline constexpr std::uint32_t kMostRun =
        511;  // zeros that one symbol of the last class stands for

enum class WeightBlockKind : std::uint8_t {
    kStored = 0,  // the bytes themselves; center and lengths are 0
    kCoded = 1,
};

/// Stands before every block.
struct WeightBlockHeader {
    WeightBlockKind kind;
    std::uint8_t center;                       // the byte that is coded as zero
    std::uint16_t crc;                         // CRC-16 of the decoded bytes
    std::uint8_t lengths[kWeightSymbols / 2];  // bits of each symbol's code word, 0: no such
                                               // symbol; the even symbol in the upper half
};
static_assert(sizeof(WeightBlockHeader) == 16);

/// A class stands for the numbers from `base` to base + 2^extraBits - 1; the extra bits follow its
/// code word.
struct WeightClass {
    std::uint16_t base = 0;
    std::uint8_t extraBits = 0;
};

/// Of distances from the center: 0, 1, 2, 3, then two classes between neighboring powers of two.
constexpr WeightClass valueClass(std::uint32_t symbol) {
    if (symbol < 4) {
        return {static_cast<std::uint16_t>(symbol), 0};
    }
    const std::uint32_t extraBits = symbol / 2 - 1;
    return {static_cast<std::uint16_t>((2 + symbol % 2) << extraBits),
            static_cast<std::uint8_t>(extraBits)};
}

/// Of zeros: runs of 2 to 3, 4 to 7, ..., 256 to 511.
constexpr WeightClass runClass(std::uint32_t symbol) {
    const auto extraBits = static_cast<std::uint8_t>(symbol - kValueClasses + 1);
    return {static_cast<std::uint16_t>(1U << extraBits), extraBits};
}

constexpr WeightClass weightClass(std::uint32_t symbol) {
    return symbol < kValueClasses ? valueClass(symbol) : runClass(symbol);
}

/// The class of a distance below 256.
constexpr std::uint32_t valueSymbol(std::uint32_t distance) {
    if (distance < 4) {
        return distance;
    }
    const auto power = static_cast<std::uint32_t>(std::bit_width(distance)) - 1;
    return 2 * power + (distance >> (power - 1) & 1U);
}

/// The class of a run of 2 to kMostRun zeros.
constexpr std::uint32_t runSymbol(std::uint32_t zeros) {
    return static_cast<std::uint32_t>(kValueClasses) +
           static_cast<std::uint32_t>(std::bit_width(zeros)) - 2;
}

/// The distance of `value` from `center`: 0, -1, +1, -2, ... become 0, 1, 2, 3, ...
constexpr std::uint32_t weightDistance(std::uint8_t value, std::uint8_t center) {
    const auto step = static_cast<std::int8_t>(static_cast<std::uint8_t>(value - center));
    return step >= 0 ? 2U * static_cast<std::uint32_t>(step)
                     : 2U * static_cast<std::uint32_t>(-(step + 1)) + 1U;
}

/// The value at a distance, the inverse of weightDistance().
constexpr std::uint8_t weightAt(std::uint32_t distance, std::uint8_t center) {
    const std::uint32_t half = distance / 2;
    return static_cast<std::uint8_t>(distance % 2 == 0 ? center + half : center - half - 1);
}

/// The word whose bytes in memory are those of `word` from the top, and the other way around.
inline std::uint64_t bigEndian(std::uint64_t word) {
    return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

constexpr unsigned codeLength(const WeightBlockHeader& header, std::uint32_t symbol) {
    const std::uint8_t both = header.lengths[symbol / 2];
    return symbol % 2 == 0 ? both >> 4U : both & 0xFU;
}

}  // namespace vnpu::hw

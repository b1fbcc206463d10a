// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/weights/weight_encoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "driver/compiler/weights/code_lengths.h"
#include "hw_model/regs/rounding.h"
#include "hw_model/regs/weight_code.h"

namespace vnpu::driver {
namespace {

using ByteCounts = std::array<std::uint64_t, 256>;

ByteCounts countBytes(std::span<const std::byte> bytes) {
    // Four tables, so that equal neighbors do not wait for each other's count.
    std::array<std::array<std::uint32_t, 256>, 4> tables{};
    ByteCounts counts{};
    constexpr std::size_t kAtOnce = std::size_t{1} << 30;  // a table counts up to 2^32
    for (std::size_t done = 0; done < bytes.size(); done += kAtOnce) {
        const auto part = bytes.subspan(done, std::min(kAtOnce, bytes.size() - done));
        tables = {};
        for (std::size_t i = 0; i < part.size(); ++i) {
            ++tables[i % 4][std::to_integer<std::size_t>(part[i])];
        }
        for (std::size_t value = 0; value < counts.size(); ++value) {
            counts[value] += std::uint64_t{tables[0][value]} + tables[1][value] + tables[2][value] +
                             tables[3][value];
        }
    }
    return counts;
}

std::uint8_t mostFrequent(const ByteCounts& counts) {
    return static_cast<std::uint8_t>(std::max_element(counts.begin(), counts.end()) -
                                     counts.begin());
}

/// The median of the values, as unsigned numbers or as signed ones.
std::uint8_t median(const ByteCounts& counts, std::uint64_t total, bool isSigned) {
    const std::uint8_t first = isSigned ? 0x80 : 0;
    std::uint64_t below = 0;
    for (unsigned step = 0; step < counts.size(); ++step) {
        const auto value = static_cast<std::uint8_t>(first + step);
        below += counts[value];
        if (2 * below >= total) {
            return value;
        }
    }
    return first;
}

/// How a block is to be coded.
struct Choice {
    std::uint8_t center = 0;
    bool hasRuns = false;
    CodeLengths lengths{};
    std::uint64_t bits = 0;  // without the header
};

Choice choose(std::uint8_t center, bool hasRuns, const SymbolCounts& counts) {
    Choice choice{center, hasRuns, codeLengths(counts), 0};
    for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
        const unsigned extraBits = hw::weightClass(symbol).extraBits;
        choice.bits += counts[symbol] * (choice.lengths[symbol] + extraBits);
    }
    return choice;
}

Choice withoutRuns(const ByteCounts& counts, std::uint8_t center) {
    SymbolCounts symbols{};
    for (std::uint32_t value = 0; value < counts.size(); ++value) {
        symbols[hw::valueSymbol(hw::weightDistance(static_cast<std::uint8_t>(value), center))] +=
                counts[value];
    }
    return choose(center, false, symbols);
}

/// Calls visit(zeros) for each part of each run of at least two bytes that equal `center`, and
/// visit(value) for each other byte.
template <typename VisitRun, typename VisitValue>
void forEachSymbol(std::span<const std::byte> bytes, std::uint8_t center, const VisitRun& visitRun,
                   const VisitValue& visitValue) {
    for (std::size_t i = 0; i < bytes.size();) {
        const auto value = std::to_integer<std::uint8_t>(bytes[i]);
        if (value != center) {
            visitValue(value);
            ++i;
            continue;
        }
        const std::size_t begin = i;
        while (i < bytes.size() && bytes[i] == std::byte{center}) {
            ++i;
        }
        std::size_t zeros = i - begin;
        for (; zeros > 1; zeros -= std::min<std::size_t>(zeros, hw::kMostRun)) {
            visitRun(static_cast<std::uint32_t>(std::min<std::size_t>(zeros, hw::kMostRun)));
        }
        if (zeros == 1) {
            visitValue(center);
        }
    }
}

Choice withRuns(std::span<const std::byte> bytes, const ByteCounts& counts, std::uint8_t center) {
    SymbolCounts symbols{};
    for (std::uint32_t value = 0; value < counts.size(); ++value) {
        if (value != center) {
            symbols[hw::valueSymbol(
                    hw::weightDistance(static_cast<std::uint8_t>(value), center))] += counts[value];
        }
    }
    forEachSymbol(
            bytes, center, [&](std::uint32_t zeros) { ++symbols[hw::runSymbol(zeros)]; },
            [&](std::uint8_t value) { symbols[0] += value == center ? 1 : 0; });
    return choose(center, true, symbols);
}

/// The cheapest of a few ways.
Choice findChoice(std::span<const std::byte> bytes) {
    // chosen: with fewer zeros, most of them stand alone
    constexpr std::uint64_t kLeastZerosFor = 8;
    const ByteCounts counts = countBytes(bytes);
    const std::uint8_t common = mostFrequent(counts);
    Choice best = withoutRuns(counts, common);
    for (const bool isSigned : {false, true}) {
        const Choice other = withoutRuns(counts, median(counts, bytes.size(), isSigned));
        if (other.bits < best.bits) {
            best = other;
        }
    }
    if (counts[common] * kLeastZerosFor >= bytes.size()) {
        const Choice other = withRuns(bytes, counts, common);
        if (other.bits < best.bits) {
            best = other;
        }
    }
    return best;
}

/// Appends bits, the first one to the top of each byte.
class BitWriter {
  public:
    /// Bytes behind the last one that a writer overwrites.
    static constexpr std::size_t kSlack = sizeof(std::uint64_t);

    explicit BitWriter(std::byte* to) : to_(to) {}

    /// 1 to 32 bits.
    void add(std::uint32_t value, unsigned bits) {
        count_ += bits;
        word_ |= std::uint64_t{value} << (64 - count_);
        const std::uint64_t stored = hw::bigEndian(word_);
        std::memcpy(to_, &stored, sizeof(stored));
        to_ += count_ / 8;
        word_ <<= count_ / 8 * 8;
        count_ %= 8;
    }

  private:
    std::byte* to_;
    std::uint64_t word_ = 0;  // the bits of the byte at to_, from the top
    unsigned count_ = 0;      // how many there are, fewer than 8
};

/// A code word with the extra bits of one number behind it.
struct BitString {
    std::uint32_t value = 0;
    std::uint8_t bits = 0;
};

using CodeWords = std::array<std::uint32_t, hw::kWeightSymbols>;

/// Numbered by length, then by symbol.
CodeWords codeWordsOf(const CodeLengths& lengths) {
    CodeWords words{};
    std::uint32_t next = 0;
    for (unsigned bits = 1; bits <= hw::kMostCodeBits; ++bits) {
        next <<= 1U;
        for (std::size_t symbol = 0; symbol < words.size(); ++symbol) {
            if (lengths[symbol] == bits) {
                words[symbol] = next++;
            }
        }
    }
    return words;
}

/// Overwrites BitWriter::kSlack bytes behind the last one, too.
void writeSymbols(std::span<const std::byte> bytes, const Choice& choice, std::byte* to) {
    const CodeWords words = codeWordsOf(choice.lengths);
    const auto codeOf = [&](std::uint32_t symbol, std::uint32_t number) {
        const hw::WeightClass numbers = hw::weightClass(symbol);
        return BitString{words[symbol] << numbers.extraBits | (number - numbers.base),
                         static_cast<std::uint8_t>(choice.lengths[symbol] + numbers.extraBits)};
    };
    std::array<BitString, 256> codes;
    for (std::uint32_t value = 0; value < codes.size(); ++value) {
        const std::uint32_t distance =
                hw::weightDistance(static_cast<std::uint8_t>(value), choice.center);
        codes[value] = codeOf(hw::valueSymbol(distance), distance);
    }
    BitWriter writer(to);
    const auto writeValue = [&](std::uint8_t value) {
        writer.add(codes[value].value, codes[value].bits);
    };
    if (choice.hasRuns) {
        forEachSymbol(
                bytes, choice.center,
                [&](std::uint32_t zeros) {
                    const BitString code = codeOf(hw::runSymbol(zeros), zeros);
                    writer.add(code.value, code.bits);
                },
                writeValue);
    } else {
        for (const std::byte byte : bytes) {
            writeValue(std::to_integer<std::uint8_t>(byte));
        }
    }
}

}  // namespace

std::uint64_t encodedSize(std::span<const std::byte> bytes) {
    const std::uint64_t coded = hw::divideUp(findChoice(bytes).bits, 8);
    return sizeof(hw::WeightBlockHeader) + std::min<std::uint64_t>(coded, bytes.size());
}

std::vector<std::byte> encodeWeights(std::span<const std::byte> bytes) {
    const Choice choice = findChoice(bytes);
    hw::WeightBlockHeader header{};
    header.crc = hw::crc16(bytes);
    const std::uint64_t codedBytes = hw::divideUp(choice.bits, 8);
    std::vector<std::byte> block;
    if (codedBytes >= bytes.size()) {
        block.resize(sizeof(header) + bytes.size());
        std::copy(bytes.begin(), bytes.end(), block.begin() + sizeof(header));
    } else {
        header.kind = hw::WeightBlockKind::kCoded;
        header.center = choice.center;
        for (std::size_t symbol = 0; symbol < choice.lengths.size(); symbol += 2) {
            header.lengths[symbol / 2] = static_cast<std::uint8_t>(choice.lengths[symbol] << 4U |
                                                                   choice.lengths[symbol + 1]);
        }
        block.resize(sizeof(header) + codedBytes + BitWriter::kSlack);
        writeSymbols(bytes, choice, block.data() + sizeof(header));
        block.resize(sizeof(header) + codedBytes);
    }
    std::memcpy(block.data(), &header, sizeof(header));
    return block;
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weights' code as hw_model/regs/README.md describes it, written for clarity: bits are
// characters, code words are looked up one by one. It shares nothing with the encoder and the
// decoder under test.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vnpu::test {

/// CRC-16/IBM-3740, bit by bit.
inline std::uint16_t referenceCrc(std::span<const std::byte> bytes) {
    std::uint32_t crc = 0xFFFF;
    for (const std::byte byte : bytes) {
        crc ^= std::to_integer<std::uint32_t>(byte) << 8;
        for (int bit = 0; bit < 8; ++bit) {
            crc = ((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1) & 0xFFFF;
        }
    }
    return static_cast<std::uint16_t>(crc);
}

struct ReferenceClass {
    unsigned base, extraBits;
};

inline constexpr std::array<ReferenceClass, 24> kReferenceClasses = {{
        {0, 0},  {1, 0},  {2, 0},  {3, 0},  {4, 1},  {6, 1},  {8, 2},   {12, 2},
        {16, 3}, {24, 3}, {32, 4}, {48, 4}, {64, 5}, {96, 5}, {128, 6}, {192, 6},
        {2, 1},  {4, 2},  {8, 3},  {16, 4}, {32, 5}, {64, 6}, {128, 7}, {256, 8},
}};

/// Code words by their bits, from the lengths of the 24 symbols.
inline std::map<std::string, unsigned> referenceWords(const std::array<unsigned, 24>& lengths) {
    std::map<std::string, unsigned> words;
    unsigned long next = 0;
    for (unsigned length = 1; length <= 10; ++length) {
        next *= 2;
        for (unsigned symbol = 0; symbol < lengths.size(); ++symbol) {
            if (lengths[symbol] != length) {
                continue;
            }
            std::string bits;
            for (unsigned bit = length; bit-- > 0;) {
                bits += (next >> bit & 1) != 0 ? '1' : '0';
            }
            words[bits] = symbol;
            ++next;
        }
    }
    return words;
}

/// Decodes a block into `size` bytes; nothing if it is damaged. For code words that fit.
inline std::optional<std::vector<std::byte>> referenceDecode(std::span<const std::byte> block,
                                                             std::size_t size) {
    if (block.size() < 16) {
        return std::nullopt;
    }
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(block[i]); };
    std::vector<std::byte> bytes;
    if (at(0) == 0) {
        bytes.assign(block.begin() + 16, block.end());
    } else {
        std::array<unsigned, 24> lengths{};
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            lengths[symbol] = at(4 + symbol / 2) >> (symbol % 2 == 0 ? 4 : 0) & 15;
        }
        const auto words = referenceWords(lengths);
        std::string bits;
        for (std::size_t i = 16; i < block.size(); ++i) {
            for (int bit = 7; bit >= 0; --bit) {
                bits += (at(i) >> bit & 1) != 0 ? '1' : '0';
            }
        }
        std::size_t place = 0;
        while (bytes.size() < size) {
            std::string word;
            do {
                if (place == bits.size() || word.size() == 10) {
                    return std::nullopt;
                }
                word += bits[place++];
            } while (!words.contains(word));
            const unsigned symbol = words.at(word);
            unsigned extra = 0;
            for (unsigned i = 0; i < kReferenceClasses[symbol].extraBits; ++i, ++place) {
                if (place == bits.size()) {
                    return std::nullopt;
                }
                extra = 2 * extra + (bits[place] == '1' ? 1 : 0);
            }
            const unsigned number = kReferenceClasses[symbol].base + extra;
            if (symbol >= 16) {
                bytes.insert(bytes.end(), number, block[1]);
                continue;
            }
            const int step = number % 2 == 0 ? static_cast<int>(number / 2)
                                             : -static_cast<int>((number + 1) / 2);
            bytes.push_back(static_cast<std::byte>((static_cast<int>(at(1)) + step) & 255));
        }
        if (bits.size() - place > 7 || bits.find('1', place) != std::string::npos) {
            return std::nullopt;
        }
    }
    const bool isWhole = bytes.size() == size && referenceCrc(bytes) == at(2) + 256 * at(3);
    return isWhole ? std::optional(bytes) : std::nullopt;
}

}  // namespace vnpu::test

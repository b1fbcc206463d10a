// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/decoder/weight_decoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "hw_model/regs/weight_code.h"
#include "tests/support/weight_code_reference.h"

namespace vnpu::test {
namespace {

using hw::kernels::decodeWeights;
using hw::kernels::WeightCodeFault;

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

/// The example of hw_model/regs/README.md, and what it decodes to.
Bytes example() {
    return bytesOf({0x01, 0x05, 0xD4, 0xD8, 0x22, 0x02, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
                    0x00, 0x00, 0x00, 0xC1, 0xEC});
}
Bytes exampleWeights() {
    return bytesOf({7, 5, 4, 5, 5, 5, 5, 5, 3});
}

/// A block put together by hand from the lengths of code words and a string of bits.
Bytes blockOf(int center, const std::array<unsigned, 24>& lengths, const std::string& bits,
              const Bytes& weights) {
    Bytes block = bytesOf({1, center, referenceCrc(weights) % 256, referenceCrc(weights) / 256});
    for (std::size_t i = 0; i < lengths.size(); i += 2) {
        block.push_back(static_cast<std::byte>(lengths[i] * 16 + lengths[i + 1]));
    }
    for (std::size_t i = 0; i < bits.size(); i += 8) {
        std::string byte = bits.substr(i, 8);
        byte.resize(8, '0');
        block.push_back(static_cast<std::byte>(std::stoi(byte, nullptr, 2)));
    }
    return block;
}

WeightCodeFault faultOf(const Bytes& block, std::size_t size) {
    Bytes decoded(size);
    return decodeWeights(block, decoded);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/weight_decoder");

TEST_CASE("the classes are those of the description") {
    for (std::uint32_t symbol = 0; symbol < hw::kWeightSymbols; ++symbol) {
        CAPTURE(symbol);
        CHECK(hw::weightClass(symbol).base == kReferenceClasses[symbol].base);
        CHECK(hw::weightClass(symbol).extraBits == kReferenceClasses[symbol].extraBits);
        const unsigned end =
                kReferenceClasses[symbol].base + (1U << kReferenceClasses[symbol].extraBits);
        for (unsigned number = kReferenceClasses[symbol].base; number < end; ++number) {
            CHECK((symbol < 16 ? hw::valueSymbol(number) : hw::runSymbol(number)) == symbol);
        }
    }
    for (int center : {0, 1, 127, 128, 255}) {
        const auto c = static_cast<std::uint8_t>(center);
        CHECK(hw::weightDistance(c, c) == 0);
        CHECK(hw::weightDistance(static_cast<std::uint8_t>(center - 1), c) == 1);
        CHECK(hw::weightDistance(static_cast<std::uint8_t>(center + 1), c) == 2);
        CHECK(hw::weightDistance(static_cast<std::uint8_t>(center + 127), c) == 254);
        CHECK(hw::weightDistance(static_cast<std::uint8_t>(center - 128), c) == 255);
        for (std::uint32_t distance = 0; distance < 256; ++distance) {
            CHECK(hw::weightDistance(hw::weightAt(distance, c), c) == distance);
        }
    }
}

TEST_CASE("the CRC has its published check value") {
    const std::string text = "123456789";
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    CHECK(hw::crc16(bytes) == 0x29B1);
    for (std::size_t size = 0; size <= 40; ++size) {
        Bytes longer(size);
        std::generate(longer.begin(), longer.end(),
                      [i = 0]() mutable { return static_cast<std::byte>(i++ * 37); });
        CHECK(hw::crc16(longer) == referenceCrc(longer));
    }
}

TEST_CASE("the example of the description decodes to its weights") {
    Bytes decoded(exampleWeights().size());
    CHECK(decodeWeights(example(), decoded) == WeightCodeFault::kNone);
    CHECK(decoded == exampleWeights());
    CHECK(referenceDecode(example(), decoded.size()) == exampleWeights());
}

TEST_CASE("every value is decoded around every center") {
    // Four code words of 3 bits and twelve of 5 take 4/8 + 12/32 of the room.
    std::array<unsigned, 24> lengths{};
    std::fill_n(lengths.begin(), 4, 3U);
    std::fill_n(lengths.begin() + 4, 12, 5U);
    const auto words = referenceWords(lengths);
    for (int center = 0; center < 256; center += 51) {
        Bytes weights;
        std::string bits;
        for (unsigned distance = 0; distance < 256; ++distance) {
            const auto symbol = static_cast<unsigned>(
                    std::find_if(kReferenceClasses.begin(), kReferenceClasses.begin() + 16,
                                 [&](const ReferenceClass& numbers) {
                                     return distance < numbers.base + (1U << numbers.extraBits);
                                 }) -
                    kReferenceClasses.begin());
            bits += std::find_if(words.begin(), words.end(), [&](const auto& word) {
                        return word.second == symbol;
                    })->first;
            for (unsigned bit = kReferenceClasses[symbol].extraBits; bit-- > 0;) {
                bits += ((distance - kReferenceClasses[symbol].base) >> bit & 1) != 0 ? '1' : '0';
            }
            const int step = distance % 2 == 0 ? static_cast<int>(distance / 2)
                                               : -static_cast<int>((distance + 1) / 2);
            weights.push_back(static_cast<std::byte>((center + step) & 255));
        }
        Bytes decoded(weights.size());
        CHECK(decodeWeights(blockOf(center, lengths, bits, weights), decoded) ==
              WeightCodeFault::kNone);
        CHECK(decoded == weights);
    }
}

TEST_CASE("a run may have 511 weights, and none beyond the end of the block") {
    std::array<unsigned, 24> lengths{};
    lengths[23] = 1;
    const Bytes weights(1022, std::byte{9});
    const Bytes block = blockOf(9, lengths,
                                "0"
                                "11111111"
                                "0"
                                "11111111",
                                weights);
    Bytes decoded(weights.size());
    CHECK(decodeWeights(block, decoded) == WeightCodeFault::kNone);
    CHECK(decoded == weights);
    CHECK(faultOf(block, 1021) == WeightCodeFault::kLongRun);
    CHECK(faultOf(block, 1023) == WeightCodeFault::kTruncated);
    CHECK(faultOf(block, 511) == WeightCodeFault::kTrailing);
}

TEST_CASE("a stored block is a copy") {
    const Bytes weights = bytesOf({1, 200, 3, 4});
    Bytes block = bytesOf({0, 0, referenceCrc(weights) % 256, referenceCrc(weights) / 256});
    block.resize(16);
    block.insert(block.end(), weights.begin(), weights.end());
    Bytes decoded(4);
    CHECK(decodeWeights(block, decoded) == WeightCodeFault::kNone);
    CHECK(decoded == weights);
    CHECK(faultOf(block, 3) == WeightCodeFault::kTrailing);
    CHECK(faultOf(block, 5) == WeightCodeFault::kTruncated);
    block[5] = std::byte{1};
    CHECK(faultOf(block, 4) == WeightCodeFault::kBadHeader);
}

TEST_CASE("each damage has its fault") {
    const std::size_t size = exampleWeights().size();
    const auto changed = [](std::size_t place, int value) {
        Bytes block = example();
        block[place] = static_cast<std::byte>(value);
        return block;
    };
    CHECK(faultOf(Bytes(15), size) == WeightCodeFault::kShortHeader);
    CHECK(faultOf(changed(0, 2), size) == WeightCodeFault::kBadHeader);
    CHECK(faultOf(changed(2, 0xD5), size) == WeightCodeFault::kBadCrc);
    CHECK(faultOf(changed(1, 0x06), size) == WeightCodeFault::kBadCrc);
    CHECK(faultOf(changed(5, 0xB2), size) == WeightCodeFault::kBadLengths);  // 11 bits
    CHECK(faultOf(changed(7, 0x60), size) == WeightCodeFault::kBadLengths);  // no room for it
    // Without symbol 3, bits 10 begin no code word.
    CHECK(faultOf(changed(5, 0x00), size) != WeightCodeFault::kNone);
    std::array<unsigned, 24> lengths{};
    lengths[0] = 1;
    CHECK(faultOf(blockOf(5, lengths, "01", bytesOf({5, 5})), 2) == WeightCodeFault::kBadCodeWord);
    CHECK(faultOf(changed(17, 0xED), size) == WeightCodeFault::kTrailing);  // the last bit
    Bytes longer = example();
    longer.push_back(std::byte{0});
    CHECK(faultOf(longer, size) == WeightCodeFault::kTrailing);
    CHECK(describe(WeightCodeFault::kBadCrc) == "a wrong CRC");
}

TEST_CASE("no truncation and no flipped bit of a block goes unnoticed") {
    const Bytes block = example();
    const std::size_t size = exampleWeights().size();
    for (std::size_t end = 0; end < block.size(); ++end) {
        CHECK(faultOf(Bytes(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(end)),
                      size) != WeightCodeFault::kNone);
    }
    for (std::size_t bit = 0; bit < block.size() * 8; ++bit) {
        Bytes flipped = block;
        flipped[bit / 8] ^= std::byte{1} << (bit % 8);
        CHECK(faultOf(flipped, size) != WeightCodeFault::kNone);
    }
}

TEST_CASE("random bytes never write outside, and what is accepted is what the description says") {
    std::mt19937 random(11);
    constexpr std::byte kGuard{0xC3};
    const auto isGuard = [](std::byte byte) { return byte == kGuard; };
    int accepted = 0;
    for (int round = 0; round < 2000; ++round) {
        Bytes block(16 + random() % 24);
        std::generate(block.begin(), block.end(), [&] { return static_cast<std::byte>(random()); });
        if (round % 4 != 0) {  // a code of eight symbols, so that all bits are code words
            block[0] = std::byte{1};
            std::fill(block.begin() + 4, block.begin() + 16, std::byte{0});
            for (int symbols = 0; symbols < 8;) {
                const std::size_t symbol = random() % 24;
                std::byte& both = block[4 + symbol / 2];
                const std::byte length = symbol % 2 == 0 ? std::byte{0x30} : std::byte{0x03};
                symbols += (both & length) == std::byte{0} ? 1 : 0;
                both |= length;
            }
            block.back() &= std::byte{0xC0};
        }
        for (std::size_t size = 1; size < 64; ++size) {
            Bytes guarded(size + 64, kGuard);
            const auto decoded = std::span(guarded).subspan(32, size);
            if (decodeWeights(block, decoded) == WeightCodeFault::kBadCrc) {
                const std::uint16_t crc = referenceCrc(decoded);
                block[2] = static_cast<std::byte>(crc % 256);
                block[3] = static_cast<std::byte>(crc / 256);
                REQUIRE(decodeWeights(block, decoded) == WeightCodeFault::kNone);
                CHECK(referenceDecode(block, size) == Bytes(decoded.begin(), decoded.end()));
                ++accepted;
            }
            CHECK(std::all_of(guarded.begin(), guarded.begin() + 32, isGuard));
            CHECK(std::all_of(guarded.end() - 32, guarded.end(), isGuard));
        }
    }
    CHECK(accepted > 100);
}

TEST_SUITE_END();

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/weights/weight_encoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "driver/compiler/weights/code_lengths.h"
#include "hw_model/kernels/decoder/weight_decoder.h"
#include "tests/support/weight_code_reference.h"

namespace vnpu::driver::test {
namespace {

using hw::kernels::decodeWeights;
using hw::kernels::WeightCodeFault;

using Bytes = std::vector<std::byte>;

constexpr std::size_t kHeader = 16;

/// Encodes, checks the size, and decodes with the device's decoder and by the description.
void checkRoundTrip(const Bytes& weights) {
    const Bytes block = encodeWeights(weights);
    CHECK(block.size() == encodedSize(weights));
    CHECK(block.size() <= weights.size() + kHeader);
    Bytes decoded(weights.size());
    REQUIRE(decodeWeights(block, decoded) == WeightCodeFault::kNone);
    CHECK(decoded == weights);
    CHECK(vnpu::test::referenceDecode(block, weights.size()) == weights);
}

Bytes normalWeights(std::size_t count, double deviation, int center, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, deviation);
    Bytes weights(count);
    for (std::byte& weight : weights) {
        weight = static_cast<std::byte>((static_cast<int>(std::lround(normal(random))) + center) &
                                        255);
    }
    return weights;
}

/// Bits per byte that no code for single bytes can go below.
double entropyOf(const Bytes& weights) {
    std::array<double, 256> counts{};
    for (const std::byte weight : weights) {
        counts[std::to_integer<std::size_t>(weight)] += 1;
    }
    double bits = 0;
    for (const double count : counts) {
        bits -= count == 0 ? 0 : count * std::log2(count / static_cast<double>(weights.size()));
    }
    return bits / static_cast<double>(weights.size());
}

/// Huffman's total from Knuth's rule: the sum of the weights of all joined pairs.
std::uint64_t leastBits(std::vector<std::uint64_t> counts) {
    std::uint64_t bits = counts.size() == 1 ? counts[0] : 0;
    while (counts.size() > 1) {
        std::sort(counts.begin(), counts.end());
        counts[1] += counts[0];
        bits += counts[1];
        counts.erase(counts.begin());
    }
    return bits;
}

double kraft(const CodeLengths& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 0.0, [](double sum, unsigned length) {
        return sum + (length == 0 ? 0 : std::pow(0.5, length));
    });
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/weights/weight_encoder");

TEST_CASE("code words of random counts are as short as Huffman's, and fit") {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        SymbolCounts counts{};
        std::vector<std::uint64_t> used;
        for (std::uint64_t& count : counts) {
            if (random() % 3 != 0) {
                count = 1 + random() % 100;  // so even that 10 bits suffice
                used.push_back(count);
            }
        }
        if (used.empty()) {
            continue;
        }
        const CodeLengths lengths = codeLengths(counts);
        std::uint64_t bits = 0;
        for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
            CHECK((lengths[symbol] == 0) == (counts[symbol] == 0));
            bits += counts[symbol] * lengths[symbol];
        }
        if (*std::max_element(lengths.begin(), lengths.end()) < 10) {
            CHECK(bits == leastBits(used));
        }
        CHECK(kraft(lengths) == (used.size() == 1 ? 0.5 : 1.0));
    }
}

TEST_CASE("counts that would take long code words get at most ten bits") {
    SymbolCounts counts{};
    std::uint64_t a = 1;
    std::uint64_t b = 1;
    for (std::uint64_t& count : counts) {  // Fibonacci's numbers make the longest code words
        count = a;
        a = std::exchange(b, a + b);
    }
    const CodeLengths lengths = codeLengths(counts);
    CHECK(*std::max_element(lengths.begin(), lengths.end()) == 10);
    CHECK(*std::min_element(lengths.begin(), lengths.end()) >= 1);
    CHECK(kraft(lengths) == 1.0);
}

TEST_CASE("weights of every kind come back from the decoder") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        const std::size_t count = 1 + random() % 3000;
        const int center = static_cast<int>(random() % 256);
        checkRoundTrip(normalWeights(count, std::exp(static_cast<double>(random() % 50) / 10.0 - 1),
                                     center, seed));
        Bytes sparse(count, static_cast<std::byte>(center));
        for (std::size_t i = 0; i < count; i += 1 + random() % (1 + seed)) {
            sparse[i] = static_cast<std::byte>(random());
        }
        checkRoundTrip(sparse);
    }
}

TEST_CASE("the worst weights come back, too") {
    Bytes rising(1024);
    std::generate(rising.begin(), rising.end(),
                  [i = 0]() mutable { return static_cast<std::byte>(i++); });
    checkRoundTrip(rising);
    checkRoundTrip({std::byte{7}});
    checkRoundTrip({std::byte{7}, std::byte{8}});
    for (const std::size_t zeros :
         {1, 2, 3, 4, 255, 256, 510, 511, 512, 513, 1022, 1023, 100'000}) {
        checkRoundTrip(Bytes(zeros));
        Bytes ended(zeros);
        ended.push_back(std::byte{1});
        checkRoundTrip(ended);
    }
    Bytes alternating(999);
    for (std::size_t i = 0; i < alternating.size(); ++i) {
        alternating[i] = i % 2 == 0 ? std::byte{0x80} : std::byte{0x7F};
    }
    checkRoundTrip(alternating);
}

TEST_CASE("weights that no code shortens grow by the header") {
    std::mt19937 random(5);
    Bytes noise(5000);
    std::generate(noise.begin(), noise.end(),
                  [&] { return static_cast<std::byte>(random() >> 9); });
    checkRoundTrip(noise);
    CHECK(encodeWeights(noise).size() == noise.size() + kHeader);
    CHECK(encodeWeights(noise)[0] == std::byte{0});
}

TEST_CASE("the code stays within 3 % of the entropy of usual weights") {
    for (const double deviation : {3.0, 6.0, 12.0, 24.0}) {
        for (const int center : {0, 122}) {
            CAPTURE(deviation);
            const Bytes weights = normalWeights(40'000, deviation, center, 9);
            const double bits = 8.0 * static_cast<double>(encodeWeights(weights).size()) / 40'000;
            CHECK(bits > entropyOf(weights));
            CHECK(bits < 1.03 * entropyOf(weights));
        }
    }
}

TEST_CASE("runs take less than the entropy of single weights") {
    Bytes weights(40'000);
    for (std::size_t i = 0; i < weights.size(); i += 400) {  // blocks of 40 values among zeros
        std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(i), 40, std::byte{3});
    }
    CHECK(8.0 * static_cast<double>(encodeWeights(weights).size()) / 40'000 <
          0.7 * entropyOf(weights));
}

TEST_CASE("no truncation of a block decodes, and flipped bits show in its CRC") {
    std::mt19937 random(21);
    int unnoticed = 0;
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const Bytes weights = normalWeights(300 + 100 * seed, 2.0 + 4 * seed, 0, seed);
        const Bytes block = encodeWeights(weights);
        Bytes decoded(weights.size());
        for (std::size_t size = 0; size < block.size(); ++size) {
            CHECK(decodeWeights(std::span(block).first(size), decoded) != WeightCodeFault::kNone);
        }
        for (int flip = 0; flip < 3000; ++flip) {
            Bytes damaged = block;
            for (std::uint32_t i = 0; i <= random() % 3; ++i) {
                damaged[random() % damaged.size()] ^= std::byte{1} << (random() % 8);
            }
            const WeightCodeFault fault = decodeWeights(damaged, decoded);
            unnoticed += fault == WeightCodeFault::kNone && decoded != weights ? 1 : 0;
        }
    }
    // 18,000 damaged blocks, of which the CRC misses one in 65,536: three or more are unlikely
    // (0.3 %).
    CHECK(unnoticed < 3);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

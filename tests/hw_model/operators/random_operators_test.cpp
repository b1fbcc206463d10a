// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "hw_model/kernels/operators/elementwise/philox.h"
#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Operator;
using hw::TensorType;

std::vector<std::int32_t> draw(const std::vector<float>& logits, std::uint32_t batches,
                               std::int32_t samples, const std::vector<std::int32_t>& seeds) {
    OperatorCase call(Operator::kRandomMultinomial);
    const auto classes = static_cast<std::uint32_t>(logits.size()) / batches;
    call.input(kReal, {batches, classes}, logits).int32(samples).int32s(seeds);
    REQUIRE(makes(call.output(kInteger), {batches, static_cast<std::uint32_t>(samples)}));
    return call.values<std::int32_t>(0);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("Philox gives its authors' published numbers [E-8]") {
    using hw::kernels::philox;
    using hw::kernels::PhiloxCounter;
    // source: Random123's kat_vectors, philox4x32 10.
    CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
          PhiloxCounter{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
    CHECK(philox({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {0xFFFFFFFF, 0xFFFFFFFF}) ==
          PhiloxCounter{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD});
    CHECK(philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}) ==
          PhiloxCounter{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1});
}

TEST_CASE("RANDOM_MULTINOMIAL draws classes with the frequency of their probability [E-8]") {
    // Probabilities 0.1, 0.2, 0.3, 0.4 in the first batch, and backwards in the second.
    std::vector<float> logits;
    for (const double weight : {1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0}) {
        logits.push_back(static_cast<float>(std::log(weight)) - 30.0F);
    }
    constexpr std::int32_t kSamples = 40000;
    const auto drawn = draw(logits, 2, kSamples, {37, 42});
    for (std::size_t b = 0; b < 2; ++b) {
        double counts[4] = {};
        for (std::size_t s = 0; s < kSamples; ++s) {
            ++counts[drawn[b * kSamples + s]];
        }
        double chiSquare = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            const double expected =
                    kSamples *
                    (b == 0 ? 1.0 + static_cast<double>(c) : 4.0 - static_cast<double>(c)) / 10;
            chiSquare += (counts[c] - expected) * (counts[c] - expected) / expected;
        }
        CHECK(chiSquare < 16.27);  // 3 degrees of freedom, probability 0.001
    }
}

TEST_CASE("RANDOM_MULTINOMIAL repeats only with the same seeds [E-8]") {
    const std::vector<float> logits(64, 0.0F);
    const auto drawn = draw(logits, 1, 256, {1, 2});
    CHECK(draw(logits, 1, 256, {1, 2}) == drawn);
    CHECK(draw(logits, 1, 256, {1, 3}) != drawn);
    CHECK(draw(logits, 1, 256, {2, 2}) != drawn);
    CHECK(draw(logits, 1, 256, {-1, 2}) != drawn);
    // Many samples are drawn by several threads; the first ones are the same.
    const auto many = draw(logits, 1, 100000, {1, 2});
    CHECK(std::equal(drawn.begin(), drawn.end(), many.begin()));
}

TEST_CASE(
        "RANDOM_MULTINOMIAL draws the class calculated by hand from one number of the stream "
        "[E-8]") {
    // Philox of counter 0, key 0 begins 0x6627E8D5, 0xE169C58D: of 52 bits, the upper 20 are
    // 0x7E8D5 = 518357 of 1048576, so the number is 0.4943. Of 100 equal classes that is 49.
    CHECK(draw(std::vector<float>(100, 5.0F), 1, 1, {0, 0})[0] == 49);
    // The second number is 0xBC57AC4C, 0x9B00DBD8: 0x7AC4C / 2^20 = 0.4796.
    CHECK(draw(std::vector<float>(100, 5.0F), 1, 2, {0, 0})[1] == 47);
}

TEST_CASE("RANDOM_MULTINOMIAL never draws a class whose logit is not finite [E-8]") {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto drawn = draw({-infinity, 1.0F, nan, -infinity}, 1, 1000, {5, 6});
    CHECK(std::all_of(drawn.begin(), drawn.end(), [](auto c) { return c == 1; }));
    OperatorCase half(Operator::kRandomMultinomial);
    const auto bytes = floatBytes(TensorType::kFloat16, {-20.0, 20.0});
    half.add({TensorType::kFloat16}, {1, 2}, bytes.data(), bytes.size()).int32(3).int32s({1, 1});
    REQUIRE(makes(half.output(kInteger), {1, 3}));
    CHECK(half.values<std::int32_t>(0) == std::vector<std::int32_t>{1, 1, 1});
}

TEST_CASE("RANDOM_MULTINOMIAL refuses invalid operands and accepts zero samples [E-8]") {
    const auto of = [&](const std::vector<float>& logits, std::int32_t samples,
                        const std::vector<std::int32_t>& seeds) {
        OperatorCase call(Operator::kRandomMultinomial);
        call.input(kReal, {1, static_cast<std::uint32_t>(logits.size())}, logits);
        return refusalOf(call.int32(samples).int32s(seeds).output(kInteger));
    };
    CHECK(of({1, 2}, 0, {1, 2}) == "runs");
    CHECK(of({1, 2}, -1, {1, 2}) == "-1 samples, expected 0 or more");
    CHECK(of({1, 2}, 1, {1}) == "input 2 has 1 elements of int32, expected 2 of int32");
    CHECK(of({}, 1, {1, 2}) == "batch 0 has no class of a finite logit");
    CHECK(of({-std::numeric_limits<float>::infinity()}, 1, {1, 2}) ==
          "batch 0 has no class of a finite logit");
    OperatorCase none(Operator::kRandomMultinomial);
    none.input(kReal, {0, 4}, std::vector<float>()).int32(7).int32s({1, 2});
    CHECK(makes(none.output(kInteger), {0, 7}));
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <farmhash.h>

#include <algorithm>
#include <set>

#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

constexpr int kLookups = 200;
constexpr std::int32_t kSparseDeprecated = 1;
constexpr std::int32_t kDense = 2;
constexpr std::int32_t kSparse = 3;

const OperandKind kHalf{TensorType::kFloat16};

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("EMBEDDING_LOOKUP copies the requested rows [E-8]") {
    Random random(1);
    for (int i = 0; i < kLookups; ++i) {
        Dimensions dimensions = randomDimensions(random, 1, 4, 4);
        dimensions[0] = random.pick<std::uint32_t>(1, 6);
        const MovedTensor values(random, dimensions);
        std::vector<std::int32_t> rows(random.pick<std::size_t>(0, 5));
        for (std::int32_t& row : rows) {
            row = random.pick<std::int32_t>(0, dimensions[0] - 1);
        }
        OperatorCase call(Operator::kEmbeddingLookup);
        values.addTo(call.int32s(rows));
        REQUIRE(call.output(values.kind).run() == JobStatus::kOk);
        Dimensions to = dimensions;
        to[0] = static_cast<std::uint32_t>(rows.size());
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  from[0] = static_cast<std::uint32_t>(rows[index[0]]);
                  return values.at(from);
              }) == "");
    }
}

TEST_CASE("HASHTABLE_LOOKUP finds rows by key and marks the hits [E-8]") {
    Random random(2);
    for (int i = 0; i < kLookups; ++i) {
        std::set<std::int32_t> keySet;
        for (std::int64_t k = random.between(0, 6); k > 0; --k) {
            keySet.insert(random.oneIn(5) ? random.pick<std::int32_t>(INT32_MIN, INT32_MAX)
                                          : random.pick<std::int32_t>(-5, 5));
        }
        const std::vector<std::int32_t> keys(keySet.begin(), keySet.end());
        Dimensions dimensions = randomDimensions(random, 1, 4, 4);
        dimensions[0] = static_cast<std::uint32_t>(keys.size());
        const MovedTensor values(random, dimensions);
        std::vector<std::int32_t> wanted(random.pick<std::size_t>(0, 6));
        for (std::int32_t& key : wanted) {
            key = keys.empty() || random.oneIn(2)
                          ? random.pick<std::int32_t>(-5, 5)
                          : keys[static_cast<std::size_t>(random.between(0, dimensions[0] - 1LL))];
        }
        OperatorCase call(Operator::kHashtableLookup);
        values.addTo(call.int32s(wanted).int32s(keys));
        call.output(values.kind).output({TensorType::kQuant8Asymm, 1.0F, 0});
        REQUIRE(call.run() == JobStatus::kOk);
        Dimensions to = dimensions;
        to[0] = static_cast<std::uint32_t>(wanted.size());
        const auto hits = call.values<std::uint8_t>(1);
        REQUIRE(hits.size() == wanted.size());
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            CHECK(hits[k] == keySet.count(wanted[k]));
        }
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  const auto found = std::find(keys.begin(), keys.end(), wanted[index[0]]);
                  if (found == keys.end()) {
                      return values.stored(0);
                  }
                  Index from = index;
                  from[0] = static_cast<std::uint32_t>(found - keys.begin());
                  return values.at(from);
              }) == "");
    }
}

TEST_CASE("the hash of LSH_PROJECTION is FarmHash's fingerprint [E-8]") {
    // Recorded from the published implementation: results are stored by users, so they must never
    // change.
    CHECK(util::Fingerprint64("", 0) == 0x9AE16A3B2F90404FULL);
}

TEST_CASE("LSH_PROJECTION builds bits and signatures from the signs of sums [E-8]") {
    Random random(3);
    for (int i = 0; i < kLookups; ++i) {
        const MovedTensor input(random, randomDimensions(random, 1, 3, 4));
        const std::uint32_t items = input.dimensions[0];
        const auto functions = random.pick<std::uint32_t>(1, 4);
        const auto bits = random.pick<std::uint32_t>(1, random.oneIn(10) ? 32 : 6);
        const bool isHalf = random.oneIn(2);
        const OperandKind& real = isHalf ? kHalf : kReal;
        // Eighths below 2: the same number in both float types.
        std::vector<double> seeds(std::size_t{functions} * bits);
        std::vector<double> weights(items);
        for (double& seed : seeds) {
            seed = static_cast<double>(random.between(-16, 16)) / 8;
        }
        for (double& weight : weights) {
            weight = static_cast<double>(random.between(-16, 16)) / 8;
        }
        const bool isWeighted = random.oneIn(2);
        const std::int32_t type = random.pick<std::int32_t>(1, 3);
        OperatorCase call(Operator::kLshProjection);
        const auto seedBytes = floatBytes(real.type, seeds);
        call.add(real, {functions, bits}, seedBytes.data(), seedBytes.size());
        input.addTo(call);
        if (isWeighted) {
            const auto weightBytes = floatBytes(real.type, weights);
            call.add(real, {items}, weightBytes.data(), weightBytes.size());
        } else {
            call.omitted(real);
        }
        REQUIRE(call.int32(type).output(kInteger).run() == JobStatus::kOk);

        std::vector<std::int32_t> expected;
        for (std::uint32_t f = 0; f < functions; ++f) {
            std::uint64_t signature = 0;
            for (std::uint32_t b = 0; b < bits; ++b) {
                double sum = 0;
                for (std::uint32_t item = 0; item < items; ++item) {
                    const auto seed = static_cast<float>(seeds[f * bits + b]);
                    const std::size_t bytes = input.bytes.size() / items;
                    std::string key(sizeof(seed), '\0');
                    std::memcpy(key.data(), &seed, sizeof(seed));
                    for (std::size_t k = 0; k < bytes; ++k) {
                        key += static_cast<char>(input.bytes[item * bytes + k]);
                    }
                    const auto hash =
                            static_cast<std::int64_t>(util::Fingerprint64(key.data(), key.size()));
                    sum += static_cast<double>(hash) * (isWeighted ? weights[item] : 1.0);
                }
                const std::uint64_t bit = sum > 0 ? 1 : 0;
                signature = 2 * signature + bit;
                if (type == kDense) {
                    expected.push_back(static_cast<std::int32_t>(bit));
                }
            }
            const std::uint64_t range = type == kSparse ? (std::uint64_t{1} << bits) * f : 0;
            if (type != kDense) {
                expected.push_back(static_cast<std::int32_t>(signature + range));
            }
        }
        CHECK(call.dimensions(0) == Dimensions{static_cast<std::uint32_t>(expected.size())});
        CHECK(call.values<std::int32_t>(0) == expected);
    }
}

TEST_CASE("lookups refuse invalid operands [E-8]") {
    const std::vector<float> six(6);
    CHECK(refusalOf(OperatorCase(Operator::kEmbeddingLookup)
                            .int32s({0, 2})
                            .input(kReal, {2, 3}, six)
                            .output(kReal)) == "row is 2, expected 0 to 1");
    CHECK(refusalOf(OperatorCase(Operator::kEmbeddingLookup)
                            .int32s({-1})
                            .input(kReal, {2, 3}, six)
                            .output(kReal)) == "row is -1, expected 0 to 1");
    CHECK(refusalOf(OperatorCase(Operator::kEmbeddingLookup)
                            .int32s({0})
                            .input(kReal, {0, 3}, std::vector<float>())
                            .output(kReal)) == "row is 0, expected 0 to -1");
    CHECK(refusalOf(OperatorCase(Operator::kHashtableLookup)
                            .int32s({0})
                            .int32s({1, 2, 3})
                            .input(kReal, {2, 3}, six)
                            .output(kReal)
                            .output({TensorType::kQuant8Asymm, 1.0F, 0})) ==
          "3 keys for values of [2, 3]");
    CHECK(refusalOf(OperatorCase(Operator::kHashtableLookup)
                            .int32s({0})
                            .int32s({1, 2})
                            .input(kReal, {2, 3}, six)
                            .output(kReal)
                            .output(kInteger)) == "output 1 is int32, expected quant8-asymm");
    const auto project = [&](std::uint32_t bits, const std::vector<float>& weights,
                             std::int32_t type) {
        OperatorCase call(Operator::kLshProjection);
        call.input(kReal, {1, bits}, std::vector<float>(bits)).input(kReal, {6}, six);
        call.input(kReal, {static_cast<std::uint32_t>(weights.size())}, weights).int32(type);
        return refusalOf(call.output(kInteger));
    };
    CHECK(project(4, {1, 2}, kDense) == "2 weights for 6 items");
    CHECK(project(4, six, 0) == "the type is 0, expected 1 to 3");
    CHECK(project(33, six, kSparse) == "a hash has 33 bits, expected at most 32");
    CHECK(project(33, six, kSparseDeprecated) == "a hash has 33 bits, expected at most 32");
    CHECK(project(33, six, kDense) == "runs");
}

TEST_SUITE_END();

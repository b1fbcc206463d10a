// SPDX-License-Identifier: Apache-2.0
#include "sim/base/random.h"

#include <doctest/doctest.h>

namespace {

using vnpu::sim::clientSeed;
using vnpu::sim::fnv1a;
using vnpu::sim::Random;

TEST_SUITE_BEGIN("sim/base/random");

TEST_CASE("the generator gives SplitMix64's published numbers [E-4]") {
    // The generator's reference output for the seed 1234567.
    Random random(1234567);
    CHECK(random.next() == 6457827717110365317ULL);
    CHECK(random.next() == 3203168211198807973ULL);
    CHECK(random.next() == 9817491932198370423ULL);
}

TEST_CASE("unit numbers are above 0 and at most 1 [E-4]") {
    Random random(1);
    for (int i = 0; i < 10'000; ++i) {
        const double value = random.nextUnit();
        REQUIRE(value > 0.0);
        REQUIRE(value <= 1.0);
    }
}

TEST_CASE("the hash agrees with FNV-1a's test vectors") {
    CHECK(fnv1a("") == 0xCBF29CE484222325ULL);
    CHECK(fnv1a("a") == 0xAF63DC4C8601EC8CULL);
    CHECK(fnv1a("foobar") == 0x85944171F73967E8ULL);
    CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}

TEST_CASE("a client's seed depends on the seed and its name [E-4]") {
    CHECK(clientSeed(1, "camera") == clientSeed(1, "camera"));
    CHECK(clientSeed(1, "camera") != clientSeed(2, "camera"));
    CHECK(clientSeed(1, "camera") != clientSeed(1, "keyword"));
}

TEST_SUITE_END();

}  // namespace

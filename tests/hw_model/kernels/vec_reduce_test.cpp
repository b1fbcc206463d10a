// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::VecReduce;

struct ReduceCase {
    VecReduce work{};
    Values input;
    std::size_t count = 1;  // elements of one mean
    std::size_t outputs = 1;
    TileMemory memory;

    ReduceCase(Random& random, ElementType type) : memory(random) {
        work.type = type;
        work.reduceMask = random.pick<std::uint8_t>(1, 15);
        std::size_t elements = 1;
        for (unsigned d = 0; d < 4; ++d) {
            work.dims[d] = random.pick<std::uint32_t>(1, 7);
            elements *= work.dims[d];
            (((work.reduceMask >> d) & 1U) != 0 ? count : outputs) *= work.dims[d];
        }
        const std::size_t bytes = hw::elementBytes(type);
        work.inputSram = memory.place(elements * bytes);
        work.outputSram = memory.place(outputs * bytes);
        for (std::size_t i = 0; i < elements; ++i) {
            if (type == ElementType::kFloat32) {
                const float value = random.real();
                memory.store(work.inputSram + 4 * i, value);
                input.push_back(static_cast<double>(value));
            } else if (type == ElementType::kInt8) {
                input.push_back(memory.load<std::int8_t>(work.inputSram + i));
            } else {
                input.push_back(memory.load<std::uint8_t>(work.inputSram + i));
            }
        }
    }

    Values sums() const { return reduceSums(input, work.dims, work.reduceMask); }
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/vec_reduce");

TEST_CASE("8-bit means round half away from the zero point [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const ElementType type = random.oneIn(2) ? ElementType::kInt8 : ElementType::kUint8;
        ReduceCase c(random, type);
        const std::int32_t least = type == ElementType::kInt8 ? -128 : 0;
        c.work.inputZeroPoint = least + random.pick<std::int32_t>(0, 255);
        TileMemory expected = c.memory;
        const Values sums = c.sums();
        const auto n = static_cast<double>(c.count);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const double zero = c.work.inputZeroPoint;
            const double level = zero + roundAwayFromZero((sums[i] - n * zero) / n);
            expected.store(c.work.outputSram + i,
                           static_cast<std::uint8_t>(static_cast<int>(level)));
        }
        hw::kernels::vecReduce(c.work, c.memory.data());
        CAPTURE(seed);
        REQUIRE(c.memory.bytes() == expected.bytes());
    }
}

TEST_CASE("float means are the exact mean rounded once [E-2]") {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) {
        Random random(seed);
        ReduceCase c(random, ElementType::kFloat32);
        const Values sums = c.sums();
        hw::kernels::vecReduce(c.work, c.memory.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const double exact = sums[i] / static_cast<double>(c.count);
            const double actual = c.memory.load<float>(c.work.outputSram + 4 * i);
            CAPTURE(seed);
            // Half a unit of a float below 1; the double sums' own rounding is far below.
            REQUIRE(std::abs(actual - exact) <= std::ldexp(1.0, -25) + 1e-12);
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test

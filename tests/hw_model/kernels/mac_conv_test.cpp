// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include <bit>
#include <cmath>
#include <limits>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/mac/mac_conv.h"
#include "tests/hw_model/kernels/mac_conv_case.h"
#include "tests/support/quantization.h"

namespace vnpu::test {
namespace {

using hw::MacConv;
using hw::kernels::MacBackend;
using hw::kernels::macConv;
using hw::kernels::macConvOn;
using hw::kernels::supportedBackends;

struct Memories {
    std::vector<std::byte> sram;
    std::vector<std::byte> accumulators;

    bool operator==(const Memories&) const = default;
};

/// The sums of a draining command are not kept; they are taken from the same command without
/// draining.
Memories run(const MacBackend& backend, const ConvCase& c) {
    Memories after{c.sram, c.accumulators};
    macConvOn(backend, c.work, after.sram.data(), after.accumulators.data());
    if (!hw::keepsSums(c.work)) {
        MacConv sums = c.work;
        sums.flags &= ~hw::kMacDrain;
        sums.blockHeight = sums.blockWidth = sums.blockChannels = 0;
        std::vector<std::byte> sram = c.sram;
        macConvOn(backend, sums, sram.data(), after.accumulators.data());
    }
    return after;
}

Memories run(const ConvCase& c) {
    return run(*supportedBackends().back(), c);
}

template <typename T>
T load(const std::vector<std::byte>& memory, std::size_t offset) {
    T value;
    std::memcpy(&value, memory.data() + offset, sizeof(value));
    return value;
}

template <typename T>
void store(std::vector<std::byte>& memory, std::size_t offset, T value) {
    std::memcpy(memory.data() + offset, &value, sizeof(value));
}

// All bytes of both memories as an exact 8-bit command must leave them.
Memories expectedMemories(const ConvCase& c) {
    Memories expected{c.sram, c.accumulators};
    const Values products = c.products();
    const Values before = c.before();
    std::size_t i = 0;
    for (std::int64_t y = 0; y < c.out.height; ++y) {
        for (std::int64_t x = 0; x < c.out.width; ++x) {
            for (std::int64_t ch = 0; ch < c.out.channels; ++ch, ++i) {
                const std::int64_t sum =
                        wrapTo32(static_cast<std::int64_t>(products[i] + before[i]));
                store(expected.accumulators, c.work.accumulatorOffset + 4 * i,
                      static_cast<std::int32_t>(sum));
                if ((c.work.flags & hw::kMacDrain) != 0) {
                    const std::int64_t level =
                            c.expectedLevel(static_cast<std::size_t>(ch), static_cast<double>(sum));
                    store(expected.sram, c.outputOffset(y, x, ch),
                          static_cast<std::uint8_t>(level));
                }
            }
        }
    }
    return expected;
}

std::size_t countWrong(const Memories& actual, const Memories& expected) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.sram.size(); ++i) {
        wrong += actual.sram[i] != expected.sram[i] ? 1 : 0;
    }
    for (std::size_t i = 0; i < expected.accumulators.size(); ++i) {
        wrong += actual.accumulators[i] != expected.accumulators[i] ? 1 : 0;
    }
    return wrong;
}

void checkEightBitSeeds(const ConvOptions& options, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
        const ConvCase c = makeConvCase(seed, options);
        const Memories expected = expectedMemories(c);
        for (const MacBackend* backend : supportedBackends()) {
            CAPTURE(seed);
            CAPTURE(backend->name);
            REQUIRE(countWrong(run(*backend, c), expected) == 0);
        }
    }
}

// Error bound of a sum of n float products by fused multiply-adds, plus bias: n + 1 roundings of
// partial sums, each at most the sum of magnitudes plus earlier errors. source: Higham, Accuracy
// and Stability, section 3.1.
double errorBound(std::size_t terms, double magnitude) {
    const double u = std::ldexp(1.0, -24);
    const double n = static_cast<double>(terms) + 2.0;
    return n * u / (1.0 - n * u) * magnitude;
}

void checkFloatOutputs(const ConvCase& c, const Memories& after) {
    const Values products = c.products();
    const Values magnitudes = c.magnitudes();
    const Values before = c.before();
    const auto low = static_cast<double>(std::bit_cast<float>(c.work.outputStage.clampMin));
    const auto high = static_cast<double>(std::bit_cast<float>(c.work.outputStage.clampMax));
    const bool hasBias = (c.work.outputStage.flags & hw::kOutputHasBias) != 0;
    std::size_t i = 0;
    for (std::int64_t y = 0; y < c.out.height; ++y) {
        for (std::int64_t x = 0; x < c.out.width; ++x) {
            for (std::int64_t ch = 0; ch < c.out.channels; ++ch, ++i) {
                const double sum = products[i] + before[i];
                const double magnitude = magnitudes[i] + std::abs(before[i]);
                const auto acc = static_cast<double>(
                        load<float>(after.accumulators, c.work.accumulatorOffset + 4 * i));
                REQUIRE(std::abs(acc - sum) <= errorBound(c.depth(), magnitude));
                if ((c.work.flags & hw::kMacDrain) == 0) {
                    continue;
                }
                const double bias =
                        hasBias ? static_cast<double>(load<float>(
                                          c.sram, c.work.outputStage.biasSram +
                                                          4 * static_cast<std::size_t>(ch)))
                                : 0.0;
                const double expected = std::clamp(sum + bias, low, high);
                const auto actual =
                        static_cast<double>(load<float>(after.sram, c.outputOffset(y, x, ch)));
                REQUIRE(std::abs(actual - expected) <=
                        errorBound(c.depth() + 1, magnitude + std::abs(bias)));
            }
        }
    }
}

void checkFloatSeeds(const ConvOptions& options, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
        const ConvCase c = makeConvCase(seed, options);
        CAPTURE(seed);
        const Memories best = run(c);
        checkFloatOutputs(c, best);
        for (const MacBackend* backend : supportedBackends()) {
            CAPTURE(backend->name);
            REQUIRE(run(*backend, c) == best);
        }
    }
}

// A dense matrix product rows x depth x columns, drained.
ConvCase makeProduct(std::uint32_t seed, std::uint32_t rows, std::uint32_t depth,
                     std::uint32_t columns, bool isFloat) {
    Random random(seed);
    TileMemory memory(random);
    ConvCase c;
    MacConv& w = c.work;
    w.inputType = w.filterType = w.outputType =
            isFloat ? hw::ElementType::kFloat32 : hw::ElementType::kInt8;
    const std::uint32_t bytes = hw::elementBytes(w.inputType);
    w.flags = hw::kMacDrain;
    w.inputHeight = w.outputHeight = rows;
    w.inputWidth = w.outputWidth = 1;
    w.inputChannels = depth;
    w.outputChannels = columns;
    w.inputPixelBytes = w.inputRowBytes = depth * bytes;
    w.outputPixelBytes = w.outputRowBytes = columns * bytes;
    w.filterHeight = w.filterWidth = w.strideHeight = w.strideWidth = 1;
    w.dilationHeight = w.dilationWidth = 1;
    w.depthMultiplier = 1;
    w.inputSram = memory.place(std::size_t{rows} * depth * bytes);
    w.filterSram = memory.place(std::size_t{columns} * depth * bytes);
    w.outputSram = memory.place(std::size_t{rows} * columns * bytes);
    if (isFloat) {
        for (std::size_t i = 0; i < std::size_t{rows} * depth; ++i) {
            memory.store(w.inputSram + 4 * i, random.real());
        }
        for (std::size_t i = 0; i < std::size_t{columns} * depth; ++i) {
            memory.store(w.filterSram + 4 * i, random.real());
        }
        w.outputStage.clampMin = std::bit_cast<std::int32_t>(-1e30F);
        w.outputStage.clampMax = std::bit_cast<std::int32_t>(1e30F);
    } else {
        w.inputZeroPoint = -128;
        const QuantizedMultiplier q = quantizeMultiplier(0.0002);
        w.outputStage.multiplier = q.multiplier;
        w.outputStage.shift = q.shift;
        w.outputStage.clampMin = -128;
        w.outputStage.clampMax = 127;
    }
    c.in = {.height = rows, .width = 1, .channels = depth};
    c.out = {.height = rows, .width = 1, .channels = columns};
    c.sram = memory.bytes();
    c.accumulators.resize(std::size_t{rows} * columns * 4);
    return c;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/mac_conv");

TEST_CASE("8-bit convolutions equal the wide-integer reference byte for byte [E-2]") {
    checkEightBitSeeds({}, 0, 300);
}

TEST_CASE("8-bit depthwise convolutions equal the wide-integer reference byte for byte [E-2]") {
    checkEightBitSeeds({.isDepthwise = true, .maxChannels = 37}, 1000, 300);
}

TEST_CASE("float convolutions stay within the rounding bound, identically on every backend [E-2]") {
    checkFloatSeeds({.isFloat = true}, 2000, 200);
}

TEST_CASE(
        "float depthwise convolutions stay within the rounding bound, identically on every backend "
        "[E-2]") {
    checkFloatSeeds({.isFloat = true, .isDepthwise = true, .maxChannels = 37}, 3000, 200);
}

TEST_CASE("few rows with many channels and a deep sum equal the reference [E-2]") {
    const ConvCase c = makeProduct(7, 49, 2305, 300, false);
    const Memories expected = expectedMemories(c);
    for (const MacBackend* backend : supportedBackends()) {
        CAPTURE(backend->name);
        CHECK(countWrong(run(*backend, c), expected) == 0);
    }
}

TEST_CASE("many rows and columns, divided among tasks, equal the reference [E-2]") {
    for (const std::uint32_t rows : {225U, 460U}) {
        for (const std::uint32_t depth : {2U, 131U}) {
            ConvCase c = makeProduct(20, rows, depth, 333, false);
            c.work.inputType = hw::ElementType::kUint8;
            c.work.inputZeroPoint = 101;
            c.work.filterZeroPoint = 7;
            const Memories expected = expectedMemories(c);
            for (const MacBackend* backend : supportedBackends()) {
                CAPTURE(rows);
                CAPTURE(depth);
                CAPTURE(backend->name);
                CHECK(countWrong(run(*backend, c), expected) == 0);
            }
        }
    }
}

TEST_CASE("float rows that share cache sets give the same results as alone [E-2]") {
    // 512 floats are 2048 bytes: the rows are copied apart before they are multiplied.
    const ConvCase c = makeProduct(21, 60, 512, 40, true);
    const Memories together = run(c);
    checkFloatOutputs(c, together);
    Memories apart{c.sram, c.accumulators};
    for (std::uint32_t row = 0; row < 60; ++row) {
        MacConv w = c.work;
        w.inputHeight = w.outputHeight = 1;
        w.inputSram += row * w.inputRowBytes;
        w.outputSram += row * w.outputRowBytes;
        w.accumulatorOffset += row * 40 * 4;
        macConv(w, apart.sram.data(), apart.accumulators.data());
    }
    CHECK(apart.sram == together.sram);
}

TEST_CASE("one row, as in a fully connected layer, equals the reference [E-2]") {
    const ConvCase c = makeProduct(8, 1, 1024, 1001, false);
    CHECK(countWrong(run(c), expectedMemories(c)) == 0);
}

TEST_CASE("a sum split over two commands equals the sum of one [E-2]") {
    for (const bool isFloat : {false, true}) {
        const ConvCase whole = makeProduct(9, 40, 64, 33, isFloat);
        const std::uint32_t bytes = isFloat ? 4 : 1;
        // The filter of each half must be dense in itself.
        ConvCase split = whole;
        for (std::size_t channel = 0; channel < 33; ++channel) {
            for (std::size_t half = 0; half < 2; ++half) {
                std::memcpy(split.sram.data() + whole.work.filterSram +
                                    (half * 33 + channel) * 32 * bytes,
                            whole.sram.data() + whole.work.filterSram +
                                    (channel * 64 + half * 32) * bytes,
                            std::size_t{32} * bytes);
            }
        }
        MacConv first = whole.work;
        first.inputChannels = 32;
        first.flags = 0;
        MacConv second = first;
        second.inputSram += 32 * bytes;
        second.filterSram += 33 * 32 * bytes;
        second.flags = hw::kMacAccumulate | hw::kMacDrain;
        const Memories expected = run(whole);
        macConv(first, split.sram.data(), split.accumulators.data());
        macConv(second, split.sram.data(), split.accumulators.data());
        CHECK(split.accumulators == expected.accumulators);
        const std::size_t outputBytes = std::size_t{40} * 33 * bytes;
        CHECK(std::memcmp(split.sram.data() + whole.work.outputSram,
                          expected.sram.data() + whole.work.outputSram, outputBytes) == 0);
    }
}

TEST_CASE("blocks change nothing in the output [E-2]") {
    for (const bool isDepthwise : {false, true}) {
        for (const bool isFloat : {false, true}) {
            for (std::uint32_t seed = 900; seed < 930; ++seed) {
                ConvOptions options;
                options.isDepthwise = isDepthwise;
                options.isFloat = isFloat;
                options.maxSide = 20;
                ConvCase c = makeConvCase(seed, options);
                c.work.flags = hw::kMacDrain | (isDepthwise ? hw::kMacDepthwise : 0U);
                if (std::uint64_t{c.work.outputHeight} * c.work.outputWidth *
                            c.work.outputChannels <
                    2) {
                    continue;  // a single block for every size
                }
                c.work.accumulatorOffset = 0;
                const Memories whole = run(c);
                c.work.blockHeight = 1 + seed % 3;
                c.work.blockWidth = 1 + seed % 4;
                c.work.blockChannels = 1 + seed % 7;
                if (hw::blocksOf(c.work).count() == 1) {
                    c.work.blockHeight = c.work.blockWidth = c.work.blockChannels = 1;
                }
                CAPTURE(seed);
                for (const MacBackend* backend : supportedBackends()) {
                    CAPTURE(backend->name);
                    CHECK(run(*backend, c).sram == whole.sram);
                }
                if (!isFloat) {
                    CHECK(whole.sram == expectedMemories(c).sram);
                }
            }
        }
    }
}

TEST_CASE("accumulators wrap modulo 2^32 [E-2]") {
    ConvCase c = makeProduct(10, 3, 8, 5, false);
    c.work.flags |= hw::kMacAccumulate;
    for (std::size_t i = 0; i < 15; ++i) {
        store(c.accumulators, 4 * i, std::numeric_limits<std::int32_t>::max() - 3);
    }
    const Memories expected = expectedMemories(c);
    for (const MacBackend* backend : supportedBackends()) {
        CAPTURE(backend->name);
        CHECK(countWrong(run(*backend, c), expected) == 0);
    }
}

TEST_CASE("long sums of the largest 8-bit differences are exact [E-2]") {
    struct Extreme {
        std::uint8_t input, filter;
        std::int32_t inputZero, filterZero;
    };
    // 255 steps of 255 * 255 are less than 2^24, 40'001 are more than 2^31.
    for (const std::uint32_t depth : {255U, 257U, 259U, 513U, 2051U, 40'001U}) {
        for (const Extreme& e :
             {Extreme{255, 255, 0, 0}, Extreme{255, 0, 0, 255}, Extreme{0, 0, 255, 255}}) {
            ConvCase c = makeProduct(17, 5, depth, 19, false);
            MacConv& w = c.work;
            w.inputType = w.filterType = hw::ElementType::kUint8;
            w.inputZeroPoint = e.inputZero;
            w.filterZeroPoint = e.filterZero;
            std::memset(c.sram.data() + w.inputSram, e.input, std::size_t{5} * depth);
            std::memset(c.sram.data() + w.filterSram, e.filter, std::size_t{19} * depth);
            // One lower element in a row and in a filter: odd and even sums.
            store<std::uint8_t>(c.sram, w.inputSram + depth + 3, 128);
            store<std::uint8_t>(c.sram, w.filterSram + std::size_t{18} * depth + 5, 128);
            const Memories expected = expectedMemories(c);
            for (const MacBackend* backend : supportedBackends()) {
                CAPTURE(depth);
                CAPTURE(backend->name);
                CHECK(countWrong(run(*backend, c), expected) == 0);
            }
        }
    }
}

TEST_CASE("extreme signed bytes with the opposite zero points are exact [E-2]") {
    ConvCase c = makeProduct(18, 50, 3001, 70, false);
    MacConv& w = c.work;
    w.inputZeroPoint = 127;
    w.filterZeroPoint = -128;
    std::memset(c.sram.data() + w.inputSram, -128, std::size_t{50} * 3001);
    std::memset(c.sram.data() + w.filterSram, 127, std::size_t{70} * 3001);
    const Memories expected = expectedMemories(c);
    CHECK(load<std::int32_t>(expected.accumulators, 0) == -255 * 255 * 3001);
    for (const MacBackend* backend : supportedBackends()) {
        CAPTURE(backend->name);
        CHECK(countWrong(run(*backend, c), expected) == 0);
    }
}

TEST_CASE("the output stage saturates if both factors are the smallest integer [E-2]") {
    ConvCase c = makeProduct(11, 2, 4, 20, false);
    c.work.flags |= hw::kMacAccumulate;
    c.work.outputStage.multiplier = std::numeric_limits<std::int32_t>::min();
    c.work.outputStage.shift = -24;
    const Values products = c.products();
    for (std::size_t i = 0; i < 40; ++i) {
        const auto sum = static_cast<std::int64_t>(products[i]);
        store(c.accumulators, 4 * i,
              static_cast<std::int32_t>(wrapTo32(std::numeric_limits<std::int32_t>::min() - sum)));
    }
    for (const MacBackend* backend : supportedBackends()) {
        const Memories after = run(*backend, c);
        // The saturated 2^31 - 1, divided by 2^24 and rounded, is 128, which the clamp makes
        // 127.
        CAPTURE(backend->name);
        CHECK(load<std::int8_t>(after.sram, c.work.outputSram) == 127);
        CHECK(load<std::int8_t>(after.sram, c.work.outputSram + 39) == 127);
    }
}

TEST_CASE("shifts at the limits of their range follow the wide-integer definition [E-2]") {
    for (const std::int32_t shift : {-31, -30, -3, -2, -1, 0, 1, 30, 31}) {
        for (const std::int32_t multiplier : {1, 0x40000000, 0x7FFFFFFF, -0x40000000}) {
            ConvCase c = makeProduct(12, 5, 40, 19, false);
            c.work.outputStage.shift = shift;
            c.work.outputStage.multiplier = multiplier;
            const Memories expected = expectedMemories(c);
            for (const MacBackend* backend : supportedBackends()) {
                CAPTURE(shift);
                CAPTURE(multiplier);
                CAPTURE(backend->name);
                CHECK(countWrong(run(*backend, c), expected) == 0);
            }
        }
    }
}

TEST_CASE("an output that overwrites the input is written after everything is read [E-2]") {
    for (const bool isFloat : {false, true}) {
        const ConvCase apart = makeProduct(13, 300, 64, 64, isFloat);
        ConvCase inPlace = apart;
        inPlace.work.outputSram = inPlace.work.inputSram;
        const Memories expected = run(apart);
        const Memories actual = run(inPlace);
        const std::size_t bytes = std::size_t{300} * 64 * (isFloat ? 4 : 1);
        CHECK(std::memcmp(actual.sram.data() + inPlace.work.outputSram,
                          expected.sram.data() + apart.work.outputSram, bytes) == 0);
    }
}

TEST_CASE("results do not depend on the number of threads [E-4]") {
    for (const bool isFloat : {false, true}) {
        const ConvCase few = makeProduct(14, 700, 96, 130, isFloat);
        const ConvCase wide = makeProduct(15, 20, 300, 700, isFloat);
        const ConvCase deep = makeConvCase(3, {.isFloat = isFloat, .isDepthwise = true});
        for (const ConvCase* c : {&few, &wide, &deep}) {
            const Memories many = run(*c);
            const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
            CHECK(run(*c) == many);
        }
    }
}

TEST_CASE("a NaN passes the clamp and stays in its own outputs [E-2]") {
    ConvCase c = makeProduct(16, 4, 3, 18, true);
    store(c.sram, c.work.inputSram + 12, std::numeric_limits<float>::quiet_NaN());  // row 1
    for (const MacBackend* backend : supportedBackends()) {
        const Memories after = run(*backend, c);
        for (std::size_t i = 0; i < 72; ++i) {
            CAPTURE(backend->name);
            CHECK(std::isnan(load<float>(after.sram, c.work.outputSram + 4 * i)) == (i / 18 == 1));
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test

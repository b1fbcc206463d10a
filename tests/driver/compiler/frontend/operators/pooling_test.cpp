// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

using vnpu::test::Image;
using vnpu::test::Window;

struct PoolCase {
    OperandType type = OperandType::TENSOR_FLOAT32;
    bool isMax = false;
    Image in, out;
    std::int64_t batches = 1;
    Window window;
    std::int64_t padRight = 0, padBottom = 0;
    int activation = 0;
    Bytes input;
};

constexpr float kPoolScale = 0.05F;
constexpr std::int32_t kPoolZeroPoint = 11;

PoolCase rollPool(std::uint32_t seed) {
    Dice dice(seed);
    PoolCase c;
    constexpr OperandType kTypes[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM,
                                      OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
    c.type = kTypes[dice.pick(0, 2)];
    c.isMax = dice.chance(2);
    c.batches = dice.pick(1, 2);
    c.in = {dice.pick(4, 14), dice.pick(4, 12), dice.pick(1, 40)};
    Window& w = c.window;
    w.height = dice.pick(1, 4);
    w.width = dice.pick(1, 4);
    w.strideHeight = dice.pick(1, 3);
    w.strideWidth = dice.pick(1, 3);
    w.padTop = dice.pick(0, static_cast<std::int32_t>(w.height) - 1);
    w.padLeft = dice.pick(0, static_cast<std::int32_t>(w.width) - 1);
    c.padBottom = dice.pick(0, static_cast<std::int32_t>(w.height) - 1);
    c.padRight = dice.pick(0, static_cast<std::int32_t>(w.width) - 1);
    c.out = {(c.in.height + w.padTop + c.padBottom - w.height) / w.strideHeight + 1,
             (c.in.width + w.padLeft + c.padRight - w.width) / w.strideWidth + 1, c.in.channels};
    c.activation = dice.pick(0, 3);
    c.input = dice.data(c.type, static_cast<std::uint64_t>(c.batches * c.in.size()));
    return c;
}

/// Pools stored values: averages of 8-bit values round half away from zero before the clamp.
Bytes expectedOutput(const PoolCase& c) {
    const bool isFloat = c.type == OperandType::TENSOR_FLOAT32;
    const Values input = centered(c.input, c.type, 0);
    const StoredRange range = storedRange({c.type, kPoolScale, kPoolZeroPoint, c.activation});
    Bytes all;
    for (std::int64_t n = 0; n < c.batches; ++n) {
        const Values image(input.begin() + n * c.in.size(), input.begin() + (n + 1) * c.in.size());
        Values values;
        if (c.isMax) {
            values = vnpu::test::poolMax(c.in, image, c.window, c.out);
        } else {
            const auto sums = vnpu::test::poolSums(c.in, image, c.window, c.out);
            for (std::size_t i = 0; i < sums.sums.size(); ++i) {
                values.push_back(sums.sums[i] / sums.counts[i]);
            }
        }
        if (isFloat) {
            const Bytes stored = store(values, {c.type, 0, 0, c.activation}, 1.0);
            all.insert(all.end(), stored.begin(), stored.end());
            continue;
        }
        for (const double value : values) {
            const auto rounded = static_cast<std::int32_t>(vnpu::test::roundAwayFromZero(value));
            all.push_back(static_cast<std::byte>(std::clamp(rounded, range.least, range.most)));
        }
    }
    return all;
}

void addPool(ModelBuilder& builder, OperationType type, std::uint32_t input,
             const std::vector<std::int64_t>& arguments, std::uint32_t output) {
    std::vector<std::uint32_t> operands{input};
    for (const std::int64_t argument : arguments) {
        operands.push_back(builder.int32(static_cast<std::int32_t>(argument)));
    }
    builder.operation(type, operands, output);
}

/// With `hasProducer`, another operation computes the pool's input, which then is in SRAM.
std::string run(const PoolCase& c, bool hasProducer) {
    const auto n = static_cast<std::uint32_t>(c.batches);
    const auto dimensions = [n](const Image& image) {
        return Dimensions{n, static_cast<std::uint32_t>(image.height),
                          static_cast<std::uint32_t>(image.width),
                          static_cast<std::uint32_t>(image.channels)};
    };
    const float scale = c.type == OperandType::TENSOR_FLOAT32 ? 0.0F : kPoolScale;
    ModelBuilder builder;
    std::uint32_t input = builder.input({c.type, dimensions(c.in), scale, kPoolZeroPoint});
    if (hasProducer) {
        const std::uint32_t same =
                builder.temporary({c.type, dimensions(c.in), scale, kPoolZeroPoint});
        addPool(builder, OperationType::MAX_POOL_2D, input, {0, 0, 0, 0, 1, 1, 1, 1, 0}, same);
        input = same;
    }
    const std::uint32_t output = builder.output({c.type, dimensions(c.out), scale, kPoolZeroPoint});
    addPool(builder, c.isMax ? OperationType::MAX_POOL_2D : OperationType::AVERAGE_POOL_2D, input,
            {c.window.padLeft, c.padRight, c.window.padTop, c.padBottom, c.window.strideWidth,
             c.window.strideHeight, c.window.width, c.window.height, c.activation},
            output);
    return checkModel(builder, {c.input}, {expectedOutput(c)});
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/pooling");

TEST_CASE("pools of random shapes give the reference's result under any tiling [E-2]") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollPool(seed), false) == "");
    }
}

TEST_CASE("a pool of an input in SRAM skips the columns that no window reads [E-2]") {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollPool(seed), true) == "");
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

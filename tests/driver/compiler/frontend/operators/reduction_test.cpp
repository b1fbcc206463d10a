// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

std::string runMean(std::uint32_t seed) {
    Dice dice(seed);
    const bool isFloat = dice.chance(2);
    const OperandType type =
            isFloat ? OperandType::TENSOR_FLOAT32 : OperandType::TENSOR_QUANT8_ASYMM;
    Dimensions shape;
    for (std::uint32_t d = dice.size(1, 4); d > 0; --d) {
        shape.push_back(dice.size(1, 7));
    }
    const auto rank = static_cast<std::uint32_t>(shape.size());
    const bool keepsDimensions = dice.chance(2);
    std::vector<std::int32_t> axes{dice.pick(0, static_cast<std::int32_t>(rank) - 1)};
    if (dice.chance(2)) {
        axes.push_back(dice.pick(-static_cast<std::int32_t>(rank), -1));
    }
    std::uint32_t full[4] = {1, 1, 1, 1};
    unsigned mask = 0;
    double count = 1;
    Dimensions kept;
    for (std::uint32_t d = 0; d < rank; ++d) {
        full[4 - rank + d] = shape[d];
        const auto signedD = static_cast<std::int32_t>(d);
        const bool isReduced = std::find(axes.begin(), axes.end(), signedD) != axes.end() ||
                               std::find(axes.begin(), axes.end(),
                                         signedD - static_cast<std::int32_t>(rank)) != axes.end();
        if (isReduced) {
            mask |= 1U << (4 - rank + d);
            count *= shape[d];
        }
        if (!isReduced || keepsDimensions) {
            kept.push_back(isReduced ? 1 : shape[d]);
        }
    }
    if (kept.empty()) {
        kept = {1};
    }
    constexpr std::int32_t kZeroPoint = 90;
    const Bytes input = dice.data(type, elementsOf(shape));
    Values means = vnpu::test::reduceSums(centered(input, type, kZeroPoint), full, mask);
    Bytes expected;
    for (double& mean : means) {
        mean /= count;
        if (!isFloat) {
            const double stored = vnpu::test::roundAwayFromZero(mean) + kZeroPoint;
            expected.push_back(static_cast<std::byte>(static_cast<int>(stored)));
        }
    }
    if (isFloat) {
        expected = store(means, {type}, 1.0);
    }
    ModelBuilder builder;
    const float scale = isFloat ? 0.0F : 0.5F;
    const std::uint32_t x = builder.input({type, shape, scale, isFloat ? 0 : kZeroPoint});
    const std::uint32_t y = builder.output({type, kept, scale, isFloat ? 0 : kZeroPoint});
    builder.operation(OperationType::MEAN,
                      {x, builder.int32s(axes), builder.int32(keepsDimensions ? 1 : 0)}, y);
    std::vector<DeviceInfo> devices{edgeDevice(), tinyDevice(16384, 2048)};
    return checkModel(builder, {input}, {expected}, {.devices = devices});
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/reduction");

TEST_CASE("MEAN over any axes gives the reference's result [E-2]") {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        CHECK(runMean(seed) == "");
    }
}

TEST_CASE("QUANTIZE rounds half away from zero and saturates [E-2]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({OperandType::TENSOR_FLOAT32, {6}});
    const std::uint32_t y = builder.output({OperandType::TENSOR_QUANT8_ASYMM_SIGNED, {6}, 0.5F, 1});
    builder.operation(OperationType::QUANTIZE, {x}, y);
    const Bytes input = bytesOf(std::vector<float>{0.25F, -0.25F, 0.2F, 1000.0F, -1000.0F, 3});
    const Bytes expected = bytesOf(std::vector<std::int8_t>{2, 0, 1, 127, -128, 7});
    CHECK(checkModel(builder, {input}, {expected}) == "");
}

TEST_CASE("DEQUANTIZE takes scales by channel along any dimension [E-2]") {
    Dice dice(3);
    const std::vector<float> scales{0.5F, 0.25F, 2.0F};
    for (std::uint32_t dimension = 0; dimension < 3; ++dimension) {
        Dimensions shape{4, 5, 6};
        shape[dimension] = 3;
        const Bytes input = dice.data(OperandType::TENSOR_QUANT8_SYMM, elementsOf(shape));
        std::size_t inner = 1;
        for (std::size_t d = dimension + 1; d < 3; ++d) {
            inner *= shape[d];
        }
        Values values = centered(input, OperandType::TENSOR_QUANT8_SYMM, 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] *= static_cast<double>(scales[i / inner % 3]);
        }
        ModelBuilder builder;
        const std::uint32_t x = builder.input(
                {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, shape, 0.0F, 0, scales, dimension});
        const std::uint32_t y = builder.output({OperandType::TENSOR_FLOAT32, shape});
        builder.operation(OperationType::DEQUANTIZE, {x}, y);
        const Bytes expected = store(values, {OperandType::TENSOR_FLOAT32}, 1.0);
        CHECK(checkModel(builder, {input}, {expected}) == "");
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

/// Two devices; the second can hold the images only in parts.
CheckOptions devices(std::uint64_t smallSram) {
    CheckOptions options;
    options.devices = {edgeDevice(), tinyDevice(smallSram, 256)};
    return options;
}

/// For an image of [2][4][5][7], or the same in NCHW.
struct Layout {
    bool isNchw;
    std::size_t at(std::size_t b, std::size_t y, std::size_t x, std::size_t c, std::size_t rows,
                   std::size_t columns) const {
        return isNchw ? ((b * 7 + c) * rows + y) * columns + x
                      : ((b * rows + y) * columns + x) * 7 + c;
    }
    Dimensions shape(std::uint32_t rows, std::uint32_t columns) const {
        return isNchw ? Dimensions{2, 7, rows, columns} : Dimensions{2, rows, columns, 7};
    }
};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/resizing");

TEST_CASE("RESIZE_NEAREST_NEIGHBOR doubles every pixel, tile by tile [E-2]") {
    for (const bool isNchw : {false, true}) {
        CAPTURE(isNchw);
        const Layout layout{isNchw};
        Dice dice(1);
        const auto type = OperandType::TENSOR_QUANT8_ASYMM;
        const Bytes input = dice.data(type, 280);
        Bytes expected(1120);
        for (std::size_t i = 0; i < 2UL * 8 * 10 * 7; ++i) {
            const std::size_t c = i % 7, x = i / 7 % 10, y = i / 70 % 8, b = i / 560;
            expected[layout.at(b, y, x, c, 8, 10)] = input[layout.at(b, y / 2, x / 2, c, 4, 5)];
        }
        ModelBuilder builder;
        const std::uint32_t x = builder.input({type, layout.shape(4, 5), 0.5F, 3});
        const std::uint32_t y = builder.output({type, layout.shape(8, 10), 0.5F, 3});
        builder.operation(OperationType::RESIZE_NEAREST_NEIGHBOR,
                          {x, builder.int32(10), builder.int32(8), builder.boolean(isNchw)}, y);
        CHECK(checkModel(builder, {input}, {expected}, devices(512)) == "");
    }
}

TEST_CASE("RESIZE_BILINEAR by a scale, from corner to corner [E-2]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({OperandType::TENSOR_FLOAT32, {1, 1, 3, 1}});
    const std::uint32_t y = builder.output({OperandType::TENSOR_FLOAT32, {1, 1, 5, 1}});
    builder.operation(OperationType::RESIZE_BILINEAR,
                      {x, builder.float32(1.7F), builder.float32(1.0F), builder.boolean(false),
                       builder.boolean(true), builder.boolean(false)},
                      y);
    CHECK(checkModel(builder, {bytesOf<float>({1, 3, -1})}, {bytesOf<float>({1, 2, 3, 1, -1})},
                     devices(256)) == "");
}

TEST_CASE("RESIZE_BILINEAR by a scale of half type [E-2]") {
    ModelBuilder builder;
    const auto half = [&](std::uint16_t bits) {
        return builder.constant({OperandType::FLOAT16, {}}, bytesOf<std::uint16_t>({bits}));
    };
    const std::uint32_t x = builder.input({OperandType::TENSOR_FLOAT16, {1, 1, 2, 1}});
    const std::uint32_t y = builder.output({OperandType::TENSOR_FLOAT16, {1, 1, 4, 1}});
    builder.operation(OperationType::RESIZE_BILINEAR, {x, half(0x4000), half(0x3C00)}, y);
    // 1 and 2 with interpolated values: 1, 1.5, 2, 2.
    const Bytes expected = bytesOf<std::uint16_t>({0x3C00, 0x3E00, 0x4000, 0x4000});
    CHECK(checkModel(builder, {bytesOf<std::uint16_t>({0x3C00, 0x4000})}, {expected},
                     devices(256)) == "");
}

TEST_CASE("L2_POOL_2D runs on whole images of some channels [E-2]") {
    for (const bool isNchw : {false, true}) {
        CAPTURE(isNchw);
        const Layout layout{isNchw};
        Dice dice(2);
        const auto type = OperandType::TENSOR_FLOAT32;
        const Bytes input = dice.data(type, 280);
        const auto values = valuesOf<float>(input);
        std::vector<float> expected(2UL * 3 * 4 * 7);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::size_t c = i % 7, x = i / 7 % 4, y = i / 28 % 3, b = i / 84;
            double sum = 0;
            for (std::size_t w = 0; w < 4; ++w) {
                const double v =
                        static_cast<double>(values[layout.at(b, y + w / 2, x + w % 2, c, 4, 5)]);
                sum += v * v;
            }
            expected[layout.at(b, y, x, c, 3, 4)] = static_cast<float>(std::sqrt(sum / 4));
        }
        ModelBuilder builder;
        const std::uint32_t x = builder.input({type, layout.shape(4, 5)});
        const std::uint32_t y = builder.output({type, layout.shape(3, 4)});
        const auto zero = [&] { return builder.int32(0); };
        const auto one = [&] { return builder.int32(1); };
        builder.operation(OperationType::L2_POOL_2D,
                          {x, zero(), zero(), zero(), zero(), one(), one(), builder.int32(2),
                           builder.int32(2), zero(), builder.boolean(isNchw)},
                          y);
        CHECK(checkModel(builder, {input}, {bytesOf(expected)}, devices(512)) == "");
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

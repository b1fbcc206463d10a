// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

/// One 2 x 2 filter over a 3 x 3 image of one channel, with `cropped` rows cropped at the top.
ModelBuilder transposed(const std::vector<float>& weights, std::int32_t cropped,
                        const Dimensions& output, std::int32_t stride = 2) {
    ModelBuilder builder;
    std::vector<std::uint32_t> operands{
            builder.input({kFloat, {1, 3, 3, 1}}),
            builder.constant({kFloat, {1, 2, 2, 1}}, bytesOf(weights)),
            builder.constant({kFloat, {1}}, bytesOf(std::vector<float>{10}))};
    for (const std::int32_t argument : {0, 0, cropped, 0, stride, stride, 0}) {
        operands.push_back(builder.int32(argument));
    }
    operands.push_back(builder.boolean(false));
    builder.operation(OperationType::TRANSPOSE_CONV_2D, operands, builder.output({kFloat, output}));
    return builder;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/transpose_convolution");

TEST_CASE("every pixel becomes the filter at its place [E-2]") {
    const ModelBuilder builder = transposed({1, 2, 3, 4}, 0, {1, 6, 6, 1});
    const std::vector<float> image{1, 0, 2, 0, 0, 0, 0, 3, 0};
    std::vector<float> expected(36, 10);
    const auto place = [&](std::size_t y, std::size_t x, float factor) {
        expected[y * 6 + x] += factor;
        expected[y * 6 + x + 1] += 2 * factor;
        expected[y * 6 + x + 6] += 3 * factor;
        expected[y * 6 + x + 7] += 4 * factor;
    };
    place(0, 0, 1);
    place(0, 4, 2);
    place(4, 2, 3);
    CHECK(checkModel(builder, {bytesOf(image)}, {bytesOf(expected)}) == "");
}

TEST_CASE("an open output shape is computed and the work stays tiled [E-8]") {
    const auto compiled =
            compile(transposed({1, 2, 3, 4}, 1, {0, 0, 0, 0}).build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(compiled->outputs[0].dimensions == Dimensions{1, 5, 6, 1});
    CHECK(countCommands(*compiled, hw::Opcode::kMacConv) != 0);
    CHECK(countCommands(*compiled, hw::Opcode::kDspOperator) == 0);
}

TEST_CASE("strides with hundreds of combinations run on the DSP [E-2]") {
    const auto compiled =
            compile(transposed({1, 2, 3, 4}, 0, {1, 36, 36, 1}, 17).build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(countCommands(*compiled, hw::Opcode::kDspOperator) != 0);
    CHECK(countCommands(*compiled, hw::Opcode::kMacConv) == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs in images with gaps between the rows: the same results as in dense memory.
#include "driver/compiler/rewrite/image_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"
#include "tests/driver/compiler/stream_interpreter.h"

namespace vnpu::driver::test {
namespace {

/// Where the bytes of `rows` lie in an image.
std::vector<std::size_t> placesIn(const ImageRows& rows, std::size_t count) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
        places.push_back(i / rows.rowBytes * rows.strideBytes + i % rows.rowBytes);
    }
    return places;
}

Bytes spread(const Bytes& dense, const std::optional<ImageRows>& rows) {
    if (!rows) {
        return dense;
    }
    Bytes image(rows->sizeBytes(), std::byte{0xEE});
    const auto places = placesIn(*rows, dense.size());
    for (std::size_t i = 0; i < dense.size(); ++i) {
        image[places[i]] = dense[i];
    }
    return image;
}

Bytes gather(const Bytes& image, const std::optional<ImageRows>& rows, std::size_t count) {
    if (!rows) {
        return image;
    }
    Bytes dense;
    for (const std::size_t place : placesIn(*rows, count)) {
        dense.push_back(image.at(place));
    }
    return dense;
}

/// Compiles a model with input 0 and output 0 in these images, for several devices, and compares
/// with its results in dense memory.
void checkImages(const ModelBuilder& builder, const std::vector<Bytes>& inputs,
                 const std::optional<ImageRows>& input, const std::optional<ImageRows>& output) {
    const auto model = builder.build();
    std::vector<Bytes> placed = inputs;
    placed[0] = spread(inputs[0], input);
    for (const DeviceInfo& device : {edgeDevice(), tinyDevice(2048, 256)}) {
        CAPTURE(device.sramBytes);
        const auto plain = compile(model, builder.pools(), device);
        CompileOptions options;
        options.inputImages = {input};
        options.outputImages = {output};
        const auto inImages = compile(model, builder.pools(), device, options);
        REQUIRE((plain && inImages));
        CHECK(inImages->inputs[0].sizeBytes == plain->inputs[0].sizeBytes);
        CHECK(inImages->outputs[0].sizeBytes == plain->outputs[0].sizeBytes);
        for (std::uint32_t seed = 1; seed <= 5; ++seed) {
            const auto expected = interpret(*plain, device, builder.pools(), inputs, seed);
            const auto got = interpret(*inImages, device, builder.pools(), placed, seed);
            REQUIRE(expected.error == "");
            REQUIRE(got.error == "");
            CHECK(gather(got.outputs[0], output, expected.outputs[0].size()) ==
                  expected.outputs[0]);
        }
    }
}

constexpr ImageRows kRows{30, 64, 6};  // of 10 pixels with three bytes

/// A 3 x 3 convolution with 6 x 10 x 3 in and out, and a RELU6.
ModelBuilder convolution(Dice& dice) {
    ModelBuilder builder;
    const TensorSpec image{kByte, {1, 6, 10, 3}, 0.5F, 100};
    const auto input = builder.input(image);
    const TensorSpec weights{kByte, {3, 3, 3, 3}, 0.25F, 120};
    const auto filter = builder.constant(weights, dice.data(kByte, 81));
    const auto bias =
            builder.constant({kInt, {3}, 0.125F}, bytesOf(std::vector<std::int32_t>{1, -2, 3}));
    const auto between = builder.temporary(image);
    const auto one = builder.int32(1);
    builder.operation(OperationType::CONV_2D,
                      {input, filter, bias, one, one, one, one, one, one, builder.int32(0)},
                      between);
    builder.operation(OperationType::RELU6, {between}, builder.output(image));
    return builder;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/image_rows");

TEST_CASE("a network reads an image and writes one by rows [MP-6]") {
    Dice dice(1);
    const ModelBuilder builder = convolution(dice);
    const std::vector<Bytes> inputs = {dice.data(kByte, 180)};
    checkImages(builder, inputs, kRows, std::nullopt);
    checkImages(builder, inputs, std::nullopt, kRows);
    checkImages(builder, inputs, kRows, kRows);
}

TEST_CASE("the rows of the image need not be those of the tensor [MP-6]") {
    Dice dice(2);
    const ModelBuilder builder = convolution(dice);
    const std::vector<Bytes> inputs = {dice.data(kByte, 180)};
    checkImages(builder, inputs, ImageRows{45, 64, 4}, ImageRows{36, 128, 5});
    // An image that is larger than the output, whose last row is a part of one.
    checkImages(builder, inputs, std::nullopt, ImageRows{50, 64, 9});
    checkImages(builder, inputs, std::nullopt, ImageRows{200, 256, 2});
}

TEST_CASE("elements may lie across rows [MP-6]") {
    Dice dice(3);
    ModelBuilder builder;
    const TensorSpec floats{kFloat, {1, 15}};
    builder.operation(OperationType::RELU, {builder.input(floats)}, builder.output(floats));
    checkImages(builder, {dice.data(kFloat, 15)}, ImageRows{6, 64, 10}, ImageRows{6, 64, 10});
}

TEST_CASE("a model that only renames its input copies from image to image [MP-6]") {
    Dice dice(4);
    ModelBuilder builder;
    const auto input = builder.input({kByte, {1, 6, 10, 3}, 0.5F, 100});
    const auto shape = builder.int32s({6, 30}, {2});
    builder.operation(OperationType::RESHAPE, {input, shape},
                      builder.output({kByte, {6, 30}, 0.5F, 100}));
    checkImages(builder, {dice.data(kByte, 180)}, kRows, kRows);
}

TEST_CASE("an output whose shape the device determines lies in an image too [MP-6]") {
    ModelBuilder builder;
    const TensorSpec two{kByte, {1, 2}, 0.5F, 0};
    const auto input = builder.input(two);
    const auto multiples = builder.input({kInt, {2}});
    builder.operation(OperationType::TILE, {input, multiples},
                      builder.output({kByte, {0, 0}, 0.5F, 0}));
    CompileOptions options;
    options.outputImages = {ImageRows{8, 64, 4}};
    const DeviceInfo device = edgeDevice();
    const auto compiled = compile(builder.build(), {}, device, options);
    REQUIRE(compiled);
    const std::vector<Bytes> inputs = {Bytes{std::byte{5}, std::byte{7}},
                                       bytesOf(std::vector<std::int32_t>{1, 6})};
    const auto run = interpret(*compiled, device, {}, inputs, 1);
    REQUIRE(run.error == "");
    CHECK(run.shapes[0] == std::vector<std::uint32_t>{1, 12});
    REQUIRE(run.outputs[0].size() == 12);
    for (std::size_t i = 0; i < 8; ++i) {  // the first row; the rest lies behind the gap
        CHECK(run.outputs[0][i] == inputs[0][i % 2]);
    }
}

TEST_CASE("an image beyond 2 GiB is refused [MP-6]") {
    Dice dice(5);
    const ModelBuilder builder = convolution(dice);
    CompileOptions options;
    options.outputImages = {ImageRows{60, 64, std::uint64_t{1} << 25}};
    const auto refused = compile(builder.build(), builder.pools(), edgeDevice(), options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

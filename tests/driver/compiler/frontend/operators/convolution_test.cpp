// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

using vnpu::test::Image;
using vnpu::test::Window;

enum class Kind : std::uint8_t { kPlain, kDepthwise, kGrouped, kTransposed };

/// One random convolution of any kind, type, layout and form of padding.
struct ConvCase {
    OperandType type = OperandType::TENSOR_FLOAT32;
    Kind kind = Kind::kPlain;
    bool isPerChannel = false, isNchw = false, isExplicit = false;
    bool hasRuntimeWeights = false;
    Image in, out;
    std::int64_t batches = 1, multiplier = 1, groups = 1;
    Window window;
    std::int64_t padRight = 0, padBottom = 0;
    int scheme = 1, activation = 0;
    float inputScale = 0.5F, filterScale = 0.25F, outputScale = 1.0F;
    std::int32_t inputZero = 0, filterZero = 0, outputZero = 0;
    std::vector<float> channelScales;
    Bytes input, filter, bias;
};

bool isFloat(const ConvCase& c) {
    return c.type == OperandType::TENSOR_FLOAT32;
}

std::int64_t outputExtent(std::int64_t input, std::int64_t reach, std::int64_t stride,
                          std::int64_t pads) {
    return (input + pads - reach) / stride + 1;
}

void choosePadding(Dice& dice, ConvCase& c) {
    Window& w = c.window;
    const std::int64_t reachY = (w.height - 1) * w.dilationHeight + 1;
    const std::int64_t reachX = (w.width - 1) * w.dilationWidth + 1;
    c.isExplicit = dice.chance(2);
    c.scheme = dice.pick(1, 2);
    if (c.isExplicit) {
        w.padTop = dice.pick(0, 2);
        w.padLeft = dice.pick(0, 2);
        c.padBottom = dice.pick(0, 2);
        c.padRight = dice.pick(0, 2);
    } else if (c.scheme == 1) {
        const auto same = [](std::int64_t input, std::int64_t reach, std::int64_t stride) {
            const std::int64_t outputs = (input + stride - 1) / stride;
            return std::max<std::int64_t>(0, (outputs - 1) * stride + reach - input);
        };
        const std::int64_t padY = same(c.in.height, reachY, w.strideHeight);
        const std::int64_t padX = same(c.in.width, reachX, w.strideWidth);
        w.padTop = padY / 2;
        w.padLeft = padX / 2;
        c.padBottom = padY - w.padTop;
        c.padRight = padX - w.padLeft;
    }
    c.out.height = outputExtent(c.in.height, reachY, w.strideHeight, w.padTop + c.padBottom);
    c.out.width = outputExtent(c.in.width, reachX, w.strideWidth, w.padLeft + c.padRight);
}

/// Paddings of a transposed convolution crop its output; a negative tail padding extends it.
void chooseCropping(Dice& dice, ConvCase& c) {
    Window& w = c.window;
    c.isExplicit = dice.chance(2);
    c.scheme = dice.pick(1, 2);
    const auto axis = [&](std::int64_t input, std::int64_t reach, std::int64_t stride,
                          std::int64_t& head, std::int64_t& tail) {
        const std::int64_t all = (input - 1) * stride + reach;
        if (c.isExplicit) {
            head = dice.pick(0, static_cast<int>(reach) - 1);
            tail = dice.pick(-1, static_cast<int>(reach) - 1);
            return all - head - tail;
        }
        if (c.scheme == 2) {
            return all;
        }
        const std::int64_t output = input * stride - dice.pick(0, static_cast<int>(stride) - 1);
        head = std::max<std::int64_t>(all - output, 0) / 2;
        return output;
    };
    c.out.height = axis(c.in.height, w.height, w.strideHeight, w.padTop, c.padBottom);
    c.out.width = axis(c.in.width, w.width, w.strideWidth, w.padLeft, c.padRight);
}

ConvCase rollConv(std::uint32_t seed, Kind kind) {
    const bool isDepthwise = kind == Kind::kDepthwise;
    Dice dice(seed);
    ConvCase c;
    constexpr OperandType kTypes[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM,
                                      OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
    c.type = kTypes[dice.pick(0, 2)];
    c.kind = kind;
    c.isPerChannel = !isFloat(c) && dice.chance(2);
    c.isNchw = dice.chance(3);
    c.hasRuntimeWeights = dice.chance(4);
    c.batches = dice.pick(1, 2);
    Window& w = c.window;
    const bool isPointwise = dice.chance(3);
    w.height = isPointwise ? 1 : dice.pick(1, 3);
    w.width = isPointwise ? 1 : dice.pick(1, 4);
    w.strideHeight = dice.pick(1, 2);
    w.strideWidth = dice.pick(1, 3);
    const bool mayDilate = kind == Kind::kPlain || isDepthwise;
    w.dilationHeight = mayDilate && dice.chance(3) ? 2 : 1;
    w.dilationWidth = mayDilate && dice.chance(3) ? 2 : 1;
    c.in = {dice.pick(7, 13), dice.pick(7, 12), dice.pick(1, isDepthwise ? 12 : 20)};
    c.multiplier = isDepthwise ? dice.pick(1, 3) : 1;
    c.out.channels = isDepthwise ? c.in.channels * c.multiplier : dice.pick(1, 24);
    if (kind == Kind::kGrouped) {
        c.groups = dice.pick(2, 4);
        c.in.channels = c.groups * dice.pick(1, 9);
        c.out.channels = c.groups * dice.pick(1, 9);
    }
    if (kind == Kind::kTransposed) {
        chooseCropping(dice, c);
    } else {
        choosePadding(dice, c);
    }
    c.activation = dice.pick(0, 3);
    if (!isFloat(c)) {
        const std::int32_t lift = c.type == OperandType::TENSOR_QUANT8_ASYMM ? 128 : 0;
        c.inputZero = dice.pick(-20, 20) + lift;
        c.filterZero = c.isPerChannel ? 0 : dice.pick(-9, 9) + lift;
        c.outputZero = dice.pick(-30, 30) + lift;
        c.outputScale = static_cast<float>(dice.pick(100, 900)) * 0.37F;
    }
    for (std::int64_t k = 0; k < c.out.channels && c.isPerChannel; ++k) {
        c.channelScales.push_back(static_cast<float>(dice.pick(1, 60)) / 128.0F);
    }
    const std::int64_t depth = isDepthwise ? 1 : c.in.channels / c.groups;
    const OperandType filterType =
            c.isPerChannel ? OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL : c.type;
    c.input = dice.data(c.type, static_cast<std::uint64_t>(c.batches * c.in.size()));
    c.filter = dice.data(filterType,
                         static_cast<std::uint64_t>(c.out.channels * w.height * w.width * depth));
    c.bias = dice.data(isFloat(c) ? c.type : OperandType::TENSOR_INT32,
                       static_cast<std::uint64_t>(c.out.channels));
    return c;
}

/// Converts a batch of images from NHWC to NCHW.
Bytes toNchw(const Bytes& nhwc, std::int64_t batches, const Image& image, std::size_t element) {
    Bytes nchw(nhwc.size());
    std::size_t next = 0;
    for (std::int64_t n = 0; n < batches; ++n) {
        for (std::int64_t c = 0; c < image.channels; ++c) {
            for (std::int64_t p = 0; p < image.height * image.width; ++p) {
                const auto from = static_cast<std::size_t>(
                        (n * image.height * image.width + p) * image.channels + c);
                for (std::size_t b = 0; b < element; ++b) {
                    nchw[next++] = nhwc[from * element + b];
                }
            }
        }
    }
    return nchw;
}

Values sumsOf(const ConvCase& c, const Values& image, const Values& filter) {
    switch (c.kind) {
        case Kind::kDepthwise:
            return vnpu::test::convolveDepthwise(c.in, image, c.window, filter, c.out,
                                                 c.multiplier);
        case Kind::kGrouped:
            return vnpu::test::convolveGroups(c.in, image, c.window, filter, c.out, c.groups);
        case Kind::kTransposed:
            return vnpu::test::convolveTransposed(c.in, image, c.window, filter, c.out);
        case Kind::kPlain:
            break;
    }
    return vnpu::test::convolve(c.in, image, c.window, filter, c.out);
}

Bytes expectedOutput(const ConvCase& c) {
    const OperandType filterType =
            c.isPerChannel ? OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL : c.type;
    const Values input = centered(c.input, c.type, c.inputZero);
    const Values filter = centered(c.filter, filterType, c.filterZero);
    const Values bias = centered(c.bias, isFloat(c) ? c.type : OperandType::TENSOR_INT32, 0);
    const Storing storing{c.type, c.outputScale, c.outputZero, c.activation};
    Bytes all;
    for (std::int64_t n = 0; n < c.batches; ++n) {
        const Values image(input.begin() + n * c.in.size(), input.begin() + (n + 1) * c.in.size());
        Values sums = sumsOf(c, image, filter);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::size_t channel = i % static_cast<std::size_t>(c.out.channels);
            sums[i] += bias[channel];
            const float scale = c.isPerChannel ? c.channelScales[channel] : c.filterScale;
            const double factor = static_cast<double>(c.inputScale) * static_cast<double>(scale) /
                                  static_cast<double>(c.outputScale);
            const Bytes stored = store({sums[i]}, storing, factor);
            all.insert(all.end(), stored.begin(), stored.end());
        }
    }
    return c.isNchw ? toNchw(all, c.batches, c.out, isFloat(c) ? 4 : 1) : all;
}

Dimensions imageDimensions(const ConvCase& c, const Image& image) {
    const auto n = static_cast<std::uint32_t>(c.batches);
    const auto h = static_cast<std::uint32_t>(image.height);
    const auto w = static_cast<std::uint32_t>(image.width);
    const auto k = static_cast<std::uint32_t>(image.channels);
    return c.isNchw ? Dimensions{n, k, h, w} : Dimensions{n, h, w, k};
}

std::vector<std::uint32_t> addArguments(ModelBuilder& builder, const ConvCase& c) {
    std::vector<std::uint32_t> arguments;
    const auto add = [&](std::int64_t value) {
        arguments.push_back(builder.int32(static_cast<std::int32_t>(value)));
    };
    if (c.isExplicit) {
        add(c.window.padLeft);
        add(c.padRight);
        add(c.window.padTop);
        add(c.padBottom);
    } else {
        if (c.kind == Kind::kTransposed) {
            const Dimensions shape = imageDimensions(c, c.out);
            arguments.push_back(builder.int32s({shape.begin(), shape.end()}));
        }
        add(c.scheme);
    }
    add(c.window.strideWidth);
    add(c.window.strideHeight);
    if (c.kind == Kind::kDepthwise || c.kind == Kind::kGrouped) {
        add(c.kind == Kind::kDepthwise ? c.multiplier : c.groups);
    }
    add(c.activation);
    arguments.push_back(builder.boolean(c.isNchw));
    if (c.kind == Kind::kPlain || c.kind == Kind::kDepthwise) {
        add(c.window.dilationWidth);
        add(c.window.dilationHeight);
    }
    return arguments;
}

OperationType operationOf(Kind kind) {
    constexpr OperationType kTypes[] = {OperationType::CONV_2D, OperationType::DEPTHWISE_CONV_2D,
                                        OperationType::GROUPED_CONV_2D,
                                        OperationType::TRANSPOSE_CONV_2D};
    return kTypes[static_cast<std::size_t>(kind)];
}

std::string run(const ConvCase& c) {
    const bool isDepthwise = c.kind == Kind::kDepthwise;
    ModelBuilder builder;
    std::vector<Bytes> inputs{c.isNchw ? toNchw(c.input, c.batches, c.in, isFloat(c) ? 4 : 1)
                                       : c.input};
    std::vector<std::uint32_t> operands{builder.input(
            {c.type, imageDimensions(c, c.in), isFloat(c) ? 0 : c.inputScale, c.inputZero})};
    const auto channels = static_cast<std::uint32_t>(c.out.channels);
    const auto height = static_cast<std::uint32_t>(c.window.height);
    const auto width = static_cast<std::uint32_t>(c.window.width);
    const auto depth = static_cast<std::uint32_t>(c.in.channels / c.groups);
    TensorSpec filter{c.type,
                      isDepthwise ? Dimensions{1, height, width, channels}
                                  : Dimensions{channels, height, width, depth},
                      isFloat(c) ? 0 : c.filterScale, c.filterZero};
    if (c.isPerChannel) {
        filter = {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                  filter.dimensions,
                  0.0F,
                  0,
                  c.channelScales,
                  isDepthwise ? 3U : 0U};
    }
    const TensorSpec bias{isFloat(c) ? c.type : OperandType::TENSOR_INT32, {channels}};
    if (c.hasRuntimeWeights && !c.isPerChannel) {
        operands.push_back(builder.input(filter));
        operands.push_back(builder.input(bias));
        inputs.push_back(c.filter);
        inputs.push_back(c.bias);
    } else {
        operands.push_back(builder.pooled(filter, c.filter));
        operands.push_back(builder.constant(bias, c.bias));
    }
    for (const std::uint32_t argument : addArguments(builder, c)) {
        operands.push_back(argument);
    }
    const std::uint32_t output = builder.output(
            {c.type, imageDimensions(c, c.out), isFloat(c) ? 0 : c.outputScale, c.outputZero});
    builder.operation(operationOf(c.kind), operands, output);
    return checkModel(builder, inputs, {expectedOutput(c)});
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/convolution");

TEST_CASE("CONV_2D of random shapes gives the reference's result under any tiling [E-2]") {
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollConv(seed, Kind::kPlain)) == "");
    }
}

TEST_CASE("DEPTHWISE_CONV_2D of random shapes gives the reference's result [E-2]") {
    for (std::uint32_t seed = 1000; seed < 1150; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollConv(seed, Kind::kDepthwise)) == "");
    }
}

TEST_CASE("GROUPED_CONV_2D of random shapes gives the reference's result [E-2]") {
    for (std::uint32_t seed = 2000; seed < 2150; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollConv(seed, Kind::kGrouped)) == "");
    }
}

TEST_CASE("TRANSPOSE_CONV_2D of random shapes gives the reference's result [E-2]") {
    for (std::uint32_t seed = 3000; seed < 3150; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollConv(seed, Kind::kTransposed)) == "");
    }
}

TEST_CASE("FULLY_CONNECTED splits long weight rows and flattens its input [E-2]") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const bool isFloatCase = dice.chance(2);
        const OperandType type =
                isFloatCase ? OperandType::TENSOR_FLOAT32 : OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
        const std::uint32_t rows = dice.size(1, 6);
        const std::uint32_t depth = dice.size(1, 40) * 8;
        const std::uint32_t units = dice.size(1, 40);
        const float outputScale = 211.0F;
        const Bytes input = dice.data(type, std::uint64_t{rows} * depth);
        const Bytes weights = dice.data(type, std::uint64_t{units} * depth);
        const OperandType biasType = isFloatCase ? type : OperandType::TENSOR_INT32;
        const Bytes bias = dice.data(biasType, units);
        const int activation = dice.pick(0, 3);

        ModelBuilder builder;
        const float scale = isFloatCase ? 0.0F : 0.5F;
        const std::uint32_t x = builder.input({type, {rows, 2, depth / 8, 4}, scale, 3});
        const std::uint32_t w = builder.pooled({type, {units, depth}, scale, -5}, weights);
        const std::uint32_t b = builder.pooled({biasType, {units}}, bias);
        const std::uint32_t y =
                builder.output({type, {rows, units}, isFloatCase ? 0.0F : outputScale, 7});
        builder.operation(OperationType::FULLY_CONNECTED, {x, w, b, builder.int32(activation)}, y);

        const Image in{rows, 1, depth};
        const Image out{rows, 1, units};
        Values sums = vnpu::test::convolve(in, centered(input, type, 3), Window{},
                                           centered(weights, type, -5), out);
        const Values added = centered(bias, biasType, 0);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += added[i % units];
        }
        const Bytes expected = store(sums, {type, outputScale, 7, activation},
                                     0.5 * 0.5 / static_cast<double>(outputScale));
        CHECK(checkModel(builder, {input}, {expected}) == "");
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "tests/hw_model/operators/random_operands.h"
#include "tests/support/quantization.h"

namespace vnpu::test {
namespace {

using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

/// One convolution with randomly drawn parameters.
struct ConvCase {
    Operator op;
    TensorType type;
    bool isPerChannel = false;
    bool hasLayout = false;
    bool hasDilation = false;
    std::int64_t scheme = 0;
    std::int64_t parts = 1;  // groups, or the depth multiplier
    std::int32_t activation = 0;
    ImageIndex in{}, out{};
    AxisDraw rows, columns;
    RandomTensor input, filter, bias;
    OperandKind output;

    ConvCase(Random& random, Operator operation, TensorType elementType);

    bool isDepthwise() const { return op == Operator::kDepthwiseConv2d; }
    bool isTransposed() const { return op == Operator::kTransposeConv2d; }
    bool isFloat() const { return type == TensorType::kFloat32 || type == TensorType::kFloat16; }
    std::uint32_t outputDimension() const { return isDepthwise() ? 3 : 0; }

    OperatorCase call() const;
    Values expected() const;

  private:
    void drawShapes(Random& random);
    void drawTransposed(Random& random);
    void drawOperands(Random& random);
    Values sums() const;
    double inputAt(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) const {
        return in.contains(y, x) ? input.values[in.at(n, y, x, c)] : 0.0;
    }
    double filterAt(std::int64_t o, std::int64_t ky, std::int64_t kx, std::int64_t i) const {
        const Dimensions& d = filter.dimensions;
        const std::int64_t index = isDepthwise() ? (ky * d[2] + kx) * d[3] + o
                                                 : ((o * d[1] + ky) * d[2] + kx) * d[3] + i;
        return filter.values[static_cast<std::size_t>(index)];
    }
};

ConvCase::ConvCase(Random& random, Operator operation, TensorType elementType)
    : op(operation), type(elementType) {
    isPerChannel = !isFloat() && random.oneIn(2);
    hasLayout = op == Operator::kGroupedConv2d || isTransposed() || random.oneIn(2);
    hasDilation = hasLayout && op != Operator::kGroupedConv2d && !isTransposed() && random.oneIn(2);
    scheme = random.between(0, 2);
    activation = random.pick<std::int32_t>(0, 3);
    in.isNchw = hasLayout && random.oneIn(2);
    in.batches = random.between(1, 3);
    drawShapes(random);
    drawOperands(random);
}

void ConvCase::drawShapes(Random& random) {
    in.channels = random.between(1, 20);
    std::int64_t outputs = random.between(1, 40);
    if (op == Operator::kGroupedConv2d) {
        parts = random.between(1, 5);
        in.channels *= parts;
        outputs *= parts;
    } else if (isDepthwise()) {
        parts = random.between(1, 4);
        outputs = in.channels * parts;
    }
    do {
        in.height = random.between(1, 12);
        in.width = random.between(1, 12);
        for (AxisDraw* axis : {&rows, &columns}) {
            *axis = {.window = random.between(1, 5),
                     .stride = random.between(1, 4),
                     .dilation = hasDilation ? random.between(1, 3) : 1,
                     .padHead = random.between(0, 4),
                     .padTail = random.between(0, 4)};
        }
        if (isTransposed()) {
            drawTransposed(random);
        }
    } while (!isTransposed() &&
             !(rows.settle(scheme, in.height) && columns.settle(scheme, in.width)));
    out = in;
    out.height = rows.output;
    out.width = columns.output;
    out.channels = outputs;
}

// The output extent is drawn so that a convolution over it has the input's extent; with explicit
// padding it follows from the input.
void ConvCase::drawTransposed(Random& random) {
    for (const auto& [axis, extent] :
         {std::pair{&rows, in.height}, std::pair{&columns, in.width}}) {
        const std::int64_t whole = (extent - 1) * axis->stride + axis->window;
        if (scheme == 1) {
            axis->output = extent * axis->stride - random.between(0, axis->stride - 1);
            const std::int64_t steps = (axis->output + axis->stride - 1) / axis->stride;
            const std::int64_t missing = (steps - 1) * axis->stride + axis->window - axis->output;
            axis->padHead = missing > 0 ? missing / 2 : 0;
        } else if (scheme == 2) {
            axis->padHead = 0;
            axis->output = whole + random.between(0, axis->stride - 1);
        } else {
            axis->padHead = random.between(0, (whole - 1) / 2);
            axis->padTail = random.between(-3, (whole - 1) / 2);
            axis->output = whole - axis->padHead - axis->padTail;
        }
    }
}

void ConvCase::drawOperands(Random& random) {
    const auto u = [](std::int64_t extent) { return static_cast<std::uint32_t>(extent); };
    input = randomTensor(random, drawKind(random, type), in.dimensions());
    OperandKind filterKind = drawKind(random, type);
    if (isPerChannel) {
        filterKind = {.type = TensorType::kQuant8SymmPerChannel,
                      .channelDimension = outputDimension()};
        for (std::int64_t o = 0; o < out.channels; ++o) {
            filterKind.channelScales.push_back(0.002F +
                                               static_cast<float>(random.between(0, 1000)) / 1e4F);
        }
    }
    const std::uint32_t height = u(rows.window);
    const std::uint32_t width = u(columns.window);
    filter =
            randomTensor(random, filterKind,
                         isDepthwise() ? Dimensions{1, height, width, u(out.channels)}
                                       : Dimensions{u(out.channels), height, width,
                                                    u(in.channels / (isTransposed() ? 1 : parts))});
    bias = randomTensor(random, {isFloat() ? type : TensorType::kInt32}, {u(out.channels)});
    output = drawKind(random, type);
    output.scale *= random.oneIn(4) ? 0.001F : 20.0F;  // factors above and below one
}

OperatorCase ConvCase::call() const {
    OperatorCase operands(op);
    const auto add = [&](std::int64_t value) { operands.int32(static_cast<std::int32_t>(value)); };
    for (const RandomTensor* tensor : {&input, &filter, &bias}) {
        tensor->addTo(operands);
    }
    if (scheme != 0) {
        if (isTransposed()) {
            const Dimensions shape = out.dimensions();
            operands.int32s({shape.begin(), shape.end()});
        }
        add(scheme);
    } else {
        for (const std::int64_t padding :
             {columns.padHead, columns.padTail, rows.padHead, rows.padTail}) {
            add(padding);
        }
    }
    add(columns.stride);
    add(rows.stride);
    if (isDepthwise() || op == Operator::kGroupedConv2d) {
        add(parts);
    }
    add(activation);
    if (hasLayout) {
        operands.flag(in.isNchw);
    }
    if (hasDilation) {
        add(columns.dilation);
        add(rows.dilation);
    }
    operands.output(output);
    return operands;
}

Values ConvCase::sums() const {
    Values result(out.size(), 0.0);
    const std::int64_t groups = op == Operator::kGroupedConv2d ? parts : 1;
    const std::int64_t groupInputs = isDepthwise() ? 1 : in.channels / groups;
    for (std::int64_t n = 0; n < out.batches; ++n)
        for (std::int64_t y = 0; y < out.height; ++y)
            for (std::int64_t x = 0; x < out.width; ++x)
                for (std::int64_t o = 0; o < out.channels; ++o) {
                    const std::int64_t first =
                            isDepthwise() ? o / parts : o / (out.channels / groups) * groupInputs;
                    double sum = 0.0;
                    for (std::int64_t ky = 0; ky < rows.window; ++ky)
                        for (std::int64_t kx = 0; kx < columns.window; ++kx)
                            for (std::int64_t i = 0; i < groupInputs; ++i) {
                                const std::int64_t iy =
                                        y * rows.stride - rows.padHead + ky * rows.dilation;
                                const std::int64_t ix = x * columns.stride - columns.padHead +
                                                        kx * columns.dilation;
                                sum += inputAt(n, iy, ix, first + i) * filterAt(o, ky, kx, i);
                            }
                    result[out.at(n, y, x, o)] = sum;
                }
    return result;
}

// Every input element adds its multiple of the filter to the output.
Values transposedSums(const ConvCase& c) {
    Values result(c.out.size(), 0.0);
    const Dimensions& d = c.filter.dimensions;
    for (std::int64_t n = 0; n < c.in.batches; ++n)
        for (std::int64_t y = 0; y < c.in.height; ++y)
            for (std::int64_t x = 0; x < c.in.width; ++x)
                for (std::int64_t i = 0; i < c.in.channels; ++i) {
                    const double value = c.input.values[c.in.at(n, y, x, i)];
                    for (std::int64_t o = 0; o < d[0]; ++o)
                        for (std::int64_t ky = 0; ky < d[1]; ++ky)
                            for (std::int64_t kx = 0; kx < d[2]; ++kx) {
                                const std::int64_t oy = y * c.rows.stride - c.rows.padHead + ky;
                                const std::int64_t ox =
                                        x * c.columns.stride - c.columns.padHead + kx;
                                if (c.out.contains(oy, ox)) {
                                    const std::int64_t f = ((o * d[1] + ky) * d[2] + kx) * d[3] + i;
                                    result[c.out.at(n, oy, ox, o)] +=
                                            value * c.filter.values[static_cast<std::size_t>(f)];
                                }
                            }
                }
    return result;
}

double rescaled(double sum, const OperandKind& input, float filterScale, const OperandKind& output,
                ActivationRange range) {
    const double factor = double{input.scale} * double{filterScale} / double{output.scale};
    const QuantizedMultiplier scaling = quantizeMultiplier(factor);
    const std::int64_t level =
            scaleTwiceRounded(static_cast<std::int64_t>(sum), scaling.multiplier, scaling.shift);
    return range.clamp(static_cast<double>(wrapTo32(level + output.zeroPoint)));
}

/// Floats as their type stores them.
Values storedFloats(TensorType type, const Values& values) {
    const std::vector<std::byte> bytes = floatBytes(type, values);
    Values result;
    for (std::size_t i = 0; i < values.size(); ++i) {
        result.push_back(storedNumber(type, bytes.data(), i));
    }
    return result;
}

Values ConvCase::expected() const {
    Values result = isTransposed() ? transposedSums(*this) : sums();
    for (std::int64_t n = 0; n < out.batches; ++n)
        for (std::int64_t y = 0; y < out.height; ++y)
            for (std::int64_t x = 0; x < out.width; ++x)
                for (std::int64_t o = 0; o < out.channels; ++o) {
                    const auto channel = static_cast<std::size_t>(o);
                    double& value = result[out.at(n, y, x, o)];
                    value += bias.values[channel];
                    const float scale =
                            isPerChannel ? filter.kind.channelScales[channel] : filter.kind.scale;
                    value = isFloat() ? realActivation(activation).clamp(value)
                                      : rescaled(value, input.kind, scale, output,
                                                 storedActivation(activation, output));
                }
    return isFloat() ? storedFloats(type, result) : result;
}

void checkAgainstDefinition(Operator op) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        Random random(seed);
        const ConvCase drawn(random, op, kFloatAndByteTypes[seed % 4]);
        OperatorCase call = drawn.call();
        const JobStatus status = call.run();
        CAPTURE(seed);
        REQUIRE_MESSAGE(status == JobStatus::kOk, call.reason());
        REQUIRE(call.dimensions(0) == drawn.out.dimensions());
        REQUIRE(call.numbers(0) == drawn.expected());
    }
}

/// A convolution of a 3 x 3 image of 2 channels with 4 filters of 2 x 2; tests change it before
/// call().
struct PlainConvolution {
    Operator op = Operator::kConv2d;
    OperandKind kind{TensorType::kFloat32};
    OperandKind filterKind{TensorType::kFloat32};
    OperandKind biasKind{TensorType::kFloat32};
    Dimensions input{1, 3, 3, 2};
    Dimensions filter{4, 2, 2, 2};
    Dimensions bias{4};
    std::vector<std::int32_t> scalars = {2, 1, 1, 0};

    OperatorCase call() const {
        OperatorCase operands(op);
        Random random(1);
        randomTensor(random, kind, input).addTo(operands);
        randomTensor(random, filterKind, filter).addTo(operands);
        randomTensor(random, biasKind, bias).addTo(operands);
        for (const std::int32_t scalar : scalars) {
            operands.int32(scalar);
        }
        operands.output(kind);
        return operands;
    }
    std::string refusal() const {
        OperatorCase operands = call();
        return operands.run() == JobStatus::kBadOperand ? operands.reason() : "accepted";
    }
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("CONV_2D follows its definition with all types, layouts, paddings and dilations [E-8]") {
    checkAgainstDefinition(Operator::kConv2d);
}

TEST_CASE("DEPTHWISE_CONV_2D follows its definition [E-8]") {
    checkAgainstDefinition(Operator::kDepthwiseConv2d);
}

TEST_CASE("GROUPED_CONV_2D follows its definition [E-8]") {
    checkAgainstDefinition(Operator::kGroupedConv2d);
}

TEST_CASE("TRANSPOSE_CONV_2D follows its definition [E-8]") {
    checkAgainstDefinition(Operator::kTransposeConv2d);
}

TEST_CASE("FULLY_CONNECTED follows its definition for inputs of rank 2 to 4 [E-8]") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const TensorType type = kFloatAndByteTypes[seed % 4];
        const bool isFloat = seed % 4 < 2;
        const auto depth = random.pick<std::uint32_t>(1, 300);
        const auto units = random.pick<std::uint32_t>(1, 300);
        const auto first = random.pick<std::uint32_t>(1, 5);
        const auto activation = random.pick<std::int32_t>(0, 3);
        const Dimensions shapes[] = {{first, depth}, {first, 1, depth}, {first, 2, 1, depth}};
        const RandomTensor input =
                randomTensor(random, drawKind(random, type), shapes[random.between(0, 2)]);
        const RandomTensor filter = randomTensor(random, drawKind(random, type), {units, depth});
        const RandomTensor bias =
                randomTensor(random, {isFloat ? type : TensorType::kInt32}, {units});
        OperandKind output = drawKind(random, type);
        output.scale *= 50.0F;
        OperatorCase call(Operator::kFullyConnected);
        for (const RandomTensor* tensor : {&input, &filter, &bias}) {
            tensor->addTo(call);
        }
        call.int32(activation).output(output);
        Values expected;
        const std::size_t batches = input.values.size() / depth;
        for (std::size_t n = 0; n < batches; ++n)
            for (std::size_t u = 0; u < units; ++u) {
                double sum = bias.values[u];
                for (std::size_t i = 0; i < depth; ++i)
                    sum += input.values[n * depth + i] * filter.values[u * depth + i];
                expected.push_back(isFloat ? realActivation(activation).clamp(sum)
                                           : rescaled(sum, input.kind, filter.kind.scale, output,
                                                      storedActivation(activation, output)));
            }
        REQUIRE(call.run() == JobStatus::kOk);
        REQUIRE(call.dimensions(0) == Dimensions{static_cast<std::uint32_t>(batches), units});
        REQUIRE(call.numbers(0) == (isFloat ? storedFloats(type, expected) : expected));
    }
}

TEST_CASE("large convolutions on several threads give the same sums as small ones [E-4]") {
    // Ones everywhere: each output counts the products under its window.
    const Dimensions shape{1, 40, 40, 64};
    const std::vector<float> ones(40UL * 40 * 64, 1.0F);
    const std::vector<float> filter(64UL * 3 * 3 * 64, 1.0F);
    for (const bool isDepthwise : {false, true}) {
        OperatorCase call(isDepthwise ? Operator::kDepthwiseConv2d : Operator::kConv2d);
        call.input<float>({}, shape, ones);
        if (isDepthwise) {
            call.input<float>({}, {1, 3, 3, 64}, std::vector<float>(3UL * 3 * 64, 64.0F));
        } else {
            call.input<float>({}, {64, 3, 3, 64}, filter);
        }
        call.input<float>({}, {64}, std::vector<float>(64, 0.5F)).int32(1).int32(1).int32(1);
        if (isDepthwise) {
            call.int32(1);
        }
        call.int32(0).output({});
        REQUIRE(call.run() == JobStatus::kOk);
        const Values result = call.numbers(0);
        for (std::size_t y = 0; y < 40; ++y)
            for (std::size_t x = 0; x < 40; ++x) {
                const double tapRows = y == 0 || y == 39 ? 2 : 3;
                const double tapColumns = x == 0 || x == 39 ? 2 : 3;
                for (std::size_t c = 0; c < 64; ++c)
                    REQUIRE(result[(y * 40 + x) * 64 + c] == tapRows * tapColumns * 64 + 0.5);
            }
    }
}

TEST_CASE("zero batches give an output of zero batches [E-8]") {
    PlainConvolution plain;
    plain.input = {0, 3, 3, 2};
    OperatorCase call = plain.call();
    CHECK(call.run() == JobStatus::kOk);
    CHECK(call.dimensions(0) == Dimensions{0, 2, 2, 4});

    plain.op = Operator::kFullyConnected;
    plain.input = {0, 5};
    plain.filter = {4, 5};
    plain.scalars = {0};
    OperatorCase dense = plain.call();
    CHECK(dense.run() == JobStatus::kOk);
    CHECK(dense.dimensions(0) == Dimensions{0, 4});
}

TEST_CASE("transposed strides larger than the filter leave outputs that equal the bias [E-8]") {
    OperatorCase call(Operator::kTransposeConv2d);
    call.input<float>({}, {1, 1, 2, 1}, {1.0F, 2.0F});
    call.input<float>({}, {1, 1, 1, 1}, {3.0F});
    call.input<float>({}, {1}, {0.25F});
    for (const std::int32_t scalar : {0, -1, 0, -1, 3, 2, 0}) {
        call.int32(scalar);
    }
    call.flag(false).output({});
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.dimensions(0) == Dimensions{1, 2, 5, 1});
    CHECK(call.values<float>(0) ==
          std::vector<float>{3.25F, 0.25F, 0.25F, 6.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F});
}

TEST_CASE("convolutions refuse incompatible operands [E-8]") {
    using Change = void (*)(PlainConvolution&);
    struct Row {
        Change change;
        const char* why;
    };
    const Row rows[] = {
            {[](PlainConvolution& c) {
                 c.input = {1, 3, 3, 3};
             },
             "channels"},
            {[](PlainConvolution& c) {
                 c.input = {1, 3, 3};
             },
             "rank 3"},
            {[](PlainConvolution& c) {
                 c.input = {1, 0, 3, 2};
             },
             "dimensions 1, 0, 3, 2"},
            {[](PlainConvolution& c) {
                 c.input = {1, 1, 3, 2};
             },
             "window spans 2"},
            {[](PlainConvolution& c) {
                 c.filter = {4, 2, 2};
             },
             "rank 3"},
            {[](PlainConvolution& c) {
                 c.filter = {4, 0, 2, 2};
             },
             "0 elements"},
            {[](PlainConvolution& c) { c.bias = {3}; }, "bias"},
            {[](PlainConvolution& c) {
                 c.bias = {2, 2};
             },
             "bias"},
            {[](PlainConvolution& c) { c.filterKind.type = TensorType::kFloat16; },
             "input 1 is float16"},
            {[](PlainConvolution& c) { c.biasKind.type = TensorType::kInt32; }, "input 2 is int32"},
            {[](PlainConvolution& c) { c.kind.type = TensorType::kInt32; }, "input 0 is int32"},
            {[](PlainConvolution& c) {
                 c.scalars = {0, 1, 1, 0};
             },
             "padding scheme"},
            {[](PlainConvolution& c) {
                 c.scalars = {3, 1, 1, 0};
             },
             "padding scheme"},
            {[](PlainConvolution& c) {
                 c.scalars = {1, 0, 1, 0};
             },
             "stride width"},
            {[](PlainConvolution& c) {
                 c.scalars = {1, 1, -1, 0};
             },
             "stride height"},
            {[](PlainConvolution& c) {
                 c.scalars = {1, 1, 1, 4};
             },
             "activation"},
            {[](PlainConvolution& c) {
                 c.scalars = {1, 1, 1};
             },
             "scalars"},
            {[](PlainConvolution& c) { c.scalars = {-1, 0, 0, 0, 1, 1, 0}; }, "left padding"},
            {[](PlainConvolution& c) { c.scalars = {0, 0, 0, INT32_MIN, 1, 1, 0}; },
             "bottom padding"},
            {[](PlainConvolution& c) { c.scalars = {INT32_MAX, INT32_MAX, 0, 0, 1, 1, 0}; },
             "extent"},
            {[](PlainConvolution& c) { c.scalars = {INT32_MAX - 9, 0, INT32_MAX - 9, 0, 1, 1, 0}; },
             "bytes"},
            {[](PlainConvolution& c) {
                 c.op = Operator::kDepthwiseConv2d;
                 c.scalars = {1, 1, 1, 2, 0};
                 c.filter = {4, 2, 2, 4};
             },
             "channels"},
            {[](PlainConvolution& c) {
                 c.op = Operator::kDepthwiseConv2d;
                 c.scalars = {1, 1, 1, INT32_MAX, 0};
                 c.filter = {1, 2, 2, 4};
             },
             "channels"},
            {[](PlainConvolution& c) {
                 c.op = Operator::kGroupedConv2d;
                 c.scalars = {1, 1, 1, 0, 0};
             },
             "groups"},
            {[](PlainConvolution& c) {
                 c.op = Operator::kGroupedConv2d;
                 c.scalars = {1, 1, 1, 3, 0};
             },
             "3 groups"},
            {[](PlainConvolution& c) {
                 c.op = Operator::kTransposeConv2d;
                 c.scalars = {5, 5, 0, 0, 1, 1, 0};
             },
             "extent of -6"},
            {[](PlainConvolution& c) {
                 c.op = Operator::kFullyConnected;
                 c.filter = {4, 5};
                 c.scalars = {0};
             },
             "multiple of the filter's 5"}};
    for (const Row& row : rows) {
        PlainConvolution plain;
        row.change(plain);
        const std::string reason = plain.refusal();
        CHECK_MESSAGE(reason.find(row.why) != std::string::npos, reason,
                      ", expected: ", std::string(row.why));
    }
}

TEST_CASE("quantized convolutions refuse invalid scales and zero points [E-8]") {
    using Change = void (*)(PlainConvolution&);
    const std::pair<Change, const char*> rows[] = {
            {[](PlainConvolution& c) { c.kind.scale = 0.0F; }, "scale 0"},
            {[](PlainConvolution& c) { c.kind.scale = std::nanf(""); }, "scale nan"},
            {[](PlainConvolution& c) { c.filterKind.scale = -1.0F; }, "scale -1"},
            {[](PlainConvolution& c) { c.kind.zeroPoint = 256; }, "zero point"},
            {[](PlainConvolution& c) { c.filterKind.zeroPoint = -1; }, "zero point"},
            {[](PlainConvolution& c) {
                 c.filterKind = {.type = TensorType::kQuant8SymmPerChannel,
                                 .channelScales = {1.0F, 1.0F, 1.0F}};
             },
             "3 scales"},
            {[](PlainConvolution& c) {
                 c.filterKind = {.type = TensorType::kQuant8SymmPerChannel,
                                 .channelScales = {1.0F, 1.0F, 1.0F, 1.0F},
                                 .channelDimension = 3};
             },
             "dimension 3"},
            {[](PlainConvolution& c) { c.filterKind.type = TensorType::kQuant8AsymmSigned; },
             "input 1 is quant8-asymm-signed"}};
    for (const auto& [change, why] : rows) {
        PlainConvolution plain;
        plain.kind = plain.filterKind = {TensorType::kQuant8Asymm, 0.5F, 3};
        plain.biasKind = {TensorType::kInt32, 0.25F};
        change(plain);
        const std::string reason = plain.refusal();
        const std::string expected(why);
        CHECK_MESSAGE(reason.find(expected) != std::string::npos, reason, ", expected: ", expected);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test

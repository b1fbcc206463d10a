// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/hw_model/operators/random_operands.h"

namespace vnpu::test {
namespace {

using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

/// One pooling with randomly drawn parameters; every window overlaps the input.
struct PoolCase {
    Operator op;
    OperandKind kind;
    bool hasLayout;
    std::int64_t scheme;
    std::int32_t activation;
    ImageIndex in{}, out{};
    AxisDraw rows, columns;
    RandomTensor input;

    PoolCase(Random& random, Operator operation, TensorType type)
        : op(operation),
          kind(drawKind(random, type)),
          hasLayout(random.oneIn(2)),
          scheme(random.between(0, 2)),
          activation(random.pick<std::int32_t>(0, 3)) {
        in = {.batches = random.between(1, 3),
              .height = 0,
              .width = 0,
              .channels = random.between(1, 40),
              .isNchw = hasLayout && random.oneIn(2)};
        do {
            in.height = random.between(1, 12);
            in.width = random.between(1, 12);
            draw(random, rows);
            draw(random, columns);
        } while (!settle(rows, in.height) || !settle(columns, in.width));
        out = in;
        out.height = rows.output;
        out.width = columns.output;
        input = randomTensor(random, kind, in.dimensions());
    }

    static void draw(Random& random, AxisDraw& axis) {
        axis = {.window = random.between(1, 6), .stride = random.between(1, 4)};
        axis.padHead = random.between(0, axis.window - 1);
        axis.padTail = random.between(0, axis.window - 1);
    }
    bool settle(AxisDraw& axis, std::int64_t extent) const {
        return axis.settle(scheme, extent) &&
               (axis.output - 1) * axis.stride - axis.padHead < extent;
    }

    OperatorCase call() const {
        OperatorCase operands(op);
        const auto add = [&](std::int64_t value) {
            operands.int32(static_cast<std::int32_t>(value));
        };
        input.addTo(operands);
        if (scheme != 0) {
            add(scheme);
        } else {
            for (const std::int64_t padding :
                 {columns.padHead, columns.padTail, rows.padHead, rows.padTail}) {
                add(padding);
            }
        }
        for (const std::int64_t value :
             {columns.stride, rows.stride, columns.window, rows.window}) {
            add(value);
        }
        add(activation);
        if (hasLayout) {
            operands.flag(in.isNchw);
        }
        operands.output(kind);
        return operands;
    }

    double pooled(std::int64_t n, std::int64_t oy, std::int64_t ox, std::int64_t c) const {
        double sum = 0.0;
        double squares = 0.0;
        double most = -std::numeric_limits<double>::infinity();
        double count = 0.0;
        for (std::int64_t ky = 0; ky < rows.window; ++ky)
            for (std::int64_t kx = 0; kx < columns.window; ++kx) {
                const std::int64_t y = oy * rows.stride - rows.padHead + ky;
                const std::int64_t x = ox * columns.stride - columns.padHead + kx;
                if (in.contains(y, x)) {
                    // Stored values: the average rounds those.
                    const double value = input.values[in.at(n, y, x, c)] + kind.zeroPoint;
                    sum += value;
                    squares += value * value;
                    most = std::max(most, value);
                    count += 1.0;
                }
            }
        return op == Operator::kMaxPool2d  ? most
               : op == Operator::kL2Pool2d ? std::sqrt(squares / count)
                                           : sum / count;
    }
};

void checkPool(const PoolCase& drawn) {
    OperatorCase call = drawn.call();
    const JobStatus status = call.run();
    REQUIRE_MESSAGE(status == JobStatus::kOk, call.reason());
    REQUIRE(call.dimensions(0) == drawn.out.dimensions());
    const Values result = call.numbers(0);
    const bool isQuantized = drawn.kind.scale > 0.0F;
    const ActivationRange range = isQuantized ? storedActivation(drawn.activation, drawn.kind)
                                              : realActivation(drawn.activation);
    // A unit in the last place of float16 and float32, and the second rounding of quotient and
    // root.
    const double relative = drawn.kind.type == TensorType::kFloat16 ? 1.0 / 1024 : 2e-7;
    for (std::int64_t n = 0; n < drawn.out.batches; ++n)
        for (std::int64_t y = 0; y < drawn.out.height; ++y)
            for (std::int64_t x = 0; x < drawn.out.width; ++x)
                for (std::int64_t c = 0; c < drawn.out.channels; ++c) {
                    const double exact = drawn.pooled(n, y, x, c);
                    const double expected =
                            range.clamp(isQuantized ? roundAwayFromZero(exact) : exact);
                    const double tolerance = isQuantized || drawn.op == Operator::kMaxPool2d
                                                     ? 0.0
                                                     : std::abs(expected) * relative;
                    REQUIRE(std::abs(result[drawn.out.at(n, y, x, c)] - expected) <= tolerance);
                }
}

void checkAgainstDefinition(Operator op, std::uint32_t types) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        checkPool(PoolCase(random, op, kFloatAndByteTypes[seed % types]));
    }
}

OperatorCase plainPool(Operator op, const OperandKind& kind, const Dimensions& dimensions,
                       const std::vector<std::int32_t>& scalars) {
    OperatorCase call(op);
    Random random(1);
    randomTensor(random, kind, dimensions).addTo(call);
    for (const std::int32_t scalar : scalars) {
        call.int32(scalar);
    }
    call.output(kind);
    return call;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("AVERAGE_POOL_2D follows its definition with all types, layouts and paddings [E-8]") {
    checkAgainstDefinition(Operator::kAveragePool2d, 4);
}

TEST_CASE("MAX_POOL_2D follows its definition [E-8]") {
    checkAgainstDefinition(Operator::kMaxPool2d, 4);
}

TEST_CASE("L2_POOL_2D follows its definition [E-8]") {
    checkAgainstDefinition(Operator::kL2Pool2d, 2);
}

TEST_CASE("averages of windows beyond 2^23 elements do not overflow [E-8]") {
    constexpr std::uint32_t kSide = 4096;
    const std::vector<std::uint8_t> levels(std::size_t{kSide} * kSide, 255);
    const OperandKind kind{TensorType::kQuant8Asymm, 1.0F, 0};
    OperatorCase call(Operator::kAveragePool2d);
    call.input(kind, {1, kSide, kSide, 1}, levels).int32(2);
    for (const std::int32_t scalar : {1, 1, 4096, 4096, 0}) {
        call.int32(scalar);
    }
    call.output(kind);
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.values<std::uint8_t>(0) == std::vector<std::uint8_t>{255});
}

TEST_CASE("large pooling on several threads covers every output [E-4]") {
    const Dimensions shape{2, 64, 64, 64};
    std::vector<float> ones(shape.elements(), 2.0F);
    for (const Operator op :
         {Operator::kAveragePool2d, Operator::kMaxPool2d, Operator::kL2Pool2d}) {
        OperatorCase call(op);
        call.input<float>({}, shape, ones).int32(1);
        for (const std::int32_t scalar : {1, 1, 3, 3, 0}) {
            call.int32(scalar);
        }
        call.output({});
        REQUIRE(call.run() == JobStatus::kOk);
        CHECK(call.dimensions(0) == shape);
        CHECK(call.values<float>(0) == ones);
    }
}

TEST_CASE("pooling zero batches gives zero batches [E-8]") {
    OperatorCase call = plainPool(Operator::kMaxPool2d, {TensorType::kFloat16}, {0, 5, 5, 3},
                                  {2, 2, 2, 2, 2, 0});
    CHECK(call.run() == JobStatus::kOk);
    CHECK(call.dimensions(0) == Dimensions{0, 2, 2, 3});
}

TEST_CASE("pooling refuses incompatible operands [E-8]") {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    const OperandKind real{TensorType::kFloat32};
    const OperandKind level{TensorType::kQuant8Asymm, 0.5F, 3};
    struct Row {
        Operator op;
        OperandKind kind;
        Dimensions dimensions;
        std::vector<std::int32_t> scalars;
        const char* why;
    };
    const Dimensions image{1, 3, 3, 2};
    const Operator average = Operator::kAveragePool2d;
    const Row rows[] = {
            {average, real, {3, 3, 2}, {1, 1, 1, 2, 2, 0}, "rank 3"},
            {average, real, {1, 3, 3, 0}, {1, 1, 1, 2, 2, 0}, "dimensions"},
            {average, real, image, {0, 1, 1, 2, 2, 0}, "padding scheme"},
            {average, real, image, {1, 0, 1, 2, 2, 0}, "stride width"},
            {average, real, image, {1, 1, 1, 0, 2, 0}, "filter width"},
            {average, real, image, {1, 1, 1, 2, -5, 0}, "filter height"},
            {average, real, image, {1, 1, 1, 2, 2, -1}, "activation"},
            {average, real, image, {2, 1, 1, 4, 2, 0}, "window spans 4"},
            {average, real, image, {2, 1, 1, kMost, kMost, 0}, "window spans"},
            {average, real, image, {2, 0, 0, 0, 1, 1, 2, 2, 0}, "in the padding"},
            {average, real, image, {0, 3, 0, 0, 1, 1, 2, 2, 0}, "in the padding"},
            {average, real, image, {kMost, kMost, 0, 0, 1, 1, 2, 2, 0}, "extent"},
            {average, real, image, {1, 1, 1, 2, 2, 0, 0}, "scalars"},
            {average, {TensorType::kInt32}, image, {1, 1, 1, 2, 2, 0}, "is int32"},
            {Operator::kL2Pool2d, level, image, {1, 1, 1, 2, 2, 0}, "is quant8-asymm"},
            {average, {TensorType::kQuant8Asymm, 0.0F, 3}, image, {1, 1, 1, 2, 2, 0}, "scale 0"},
            {average,
             {TensorType::kQuant8Asymm, 0.5F, 300},
             image,
             {1, 1, 1, 2, 2, 0},
             "zero point 300"}};
    for (const Row& row : rows) {
        OperatorCase call = plainPool(row.op, row.kind, row.dimensions, row.scalars);
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK_MESSAGE(call.reason().find(row.why) != std::string::npos, call.reason(),
                      ", expected: ", std::string(row.why));
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test

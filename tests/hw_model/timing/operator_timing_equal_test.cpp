// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <initializer_list>

#include "hw_model/timing/operator_timing.h"
#include "hw_model/timing/vector_timing.h"

namespace vnpu::hw {
namespace {

// 16 cycles of start-up, 32 and 8 lanes, 4 cycles per exponential.
constexpr VectorConfig kUnit{
        .lanes8 = 32, .lanes32 = 8, .startupCycles = 16, .exponentialCycles = 4};

VecOperand tensor(TensorType type, std::initializer_list<std::uint32_t> dimensions) {
    VecOperand operand{};
    operand.type = type;
    for (const std::uint32_t extent : dimensions) {
        operand.words[operand.rank++] = extent;
    }
    return operand;
}

VecOperand scalarOperand(std::int32_t value) {
    VecOperand operand{};
    operand.type = TensorType::kInt32Scalar;
    operand.flags = kOperandImmediate;
    operand.count = 1;
    operand.words[0] = static_cast<std::uint32_t>(value);
    return operand;
}

std::uint64_t cycles(Operator op, std::initializer_list<VecOperand> inputs,
                     const VecOperand& output) {
    VecOperator work{};
    work.op = op;
    for (const VecOperand& input : inputs) {
        work.operands[work.inputCount++] = input;
    }
    work.operands[work.inputCount] = output;
    work.outputCount = 1;
    return vectorCycles(kUnit, work);
}

struct Types {
    TensorType tensor;
    ElementType element;
};
constexpr Types kTypes[] = {{TensorType::kQuant8Asymm, ElementType::kUint8},
                            {TensorType::kQuant8AsymmSigned, ElementType::kInt8},
                            {TensorType::kFloat32, ElementType::kFloat32}};

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/operator_timing");

TEST_CASE("pools cost the same as the pooling command [E-3]") {
    for (const Types& type : kTypes) {
        VecPool pool{};
        pool.type = type.element;
        pool.outputHeight = 3;
        pool.outputWidth = 5;
        pool.channels = 7;
        pool.windowHeight = 2;
        pool.windowWidth = 3;
        const VecOperand input = tensor(type.tensor, {1, 4, 7, 7});
        const VecOperand output = tensor(type.tensor, {1, 3, 5, 7});
        const VecOperand none = scalarOperand(0);
        for (const bool isMax : {false, true}) {
            pool.kind = isMax ? PoolKind::kMax : PoolKind::kAverage;
            const Operator op = isMax ? Operator::kMaxPool2d : Operator::kAveragePool2d;
            CHECK(cycles(op, {input, none, none, none, scalarOperand(3), scalarOperand(2), none},
                         output) == vectorCycles(kUnit, pool));
        }
    }
}

TEST_CASE("with explicit padding, the window's extents are other operands") {
    OperandShape image{.type = TensorType::kFloat32, .dimensions = {1, 4, 4, 2}};
    std::array<OperandShape, 10> inputs{};
    inputs[0] = image;
    inputs[7] = {.type = TensorType::kInt32Scalar, .isValueKnown = true, .value = 2};
    inputs[8] = {.type = TensorType::kInt32Scalar, .isValueKnown = true, .value = 4};
    const OperatorWork work = operatorWork(Operator::kMaxPool2d, inputs, std::span(&image, 1));
    CHECK(vectorCycles(kUnit, work) == 16 + 32 * 8 / 8);
}

TEST_CASE("additions and products cost the same as the element-wise command [E-3]") {
    for (const Types& type : kTypes) {
        VecEltwise work{};
        work.type = type.element;
        work.dims[0] = work.dims[1] = 3;
        work.dims[2] = work.dims[3] = 7;
        const VecOperand operand = tensor(type.tensor, {3, 3, 7, 7});
        for (const Operator op : {Operator::kAdd, Operator::kMul}) {
            CHECK(cycles(op, {operand, operand, scalarOperand(0)}, operand) ==
                  vectorCycles(kUnit, work));
        }
    }
}

TEST_CASE("functions of one element cost the same as the unary command [E-3]") {
    const auto unary = [](UnaryKind kind, ElementType from, ElementType to) {
        VecUnary work{};
        work.kind = kind;
        work.inputType = from;
        work.outputType = to;
        work.count = 77;
        return vectorCycles(kUnit, work);
    };
    const VecOperand bytes = tensor(TensorType::kQuant8Asymm, {7, 11});
    const VecOperand floats = tensor(TensorType::kFloat32, {7, 11});
    constexpr ElementType kByte = ElementType::kUint8;
    constexpr ElementType kFloat = ElementType::kFloat32;
    CHECK(cycles(Operator::kLogistic, {bytes}, bytes) == unary(UnaryKind::kLut, kByte, kByte));
    CHECK(cycles(Operator::kTanh, {bytes}, bytes) == unary(UnaryKind::kLut, kByte, kByte));
    CHECK(cycles(Operator::kLogistic, {floats}, floats) ==
          unary(UnaryKind::kLogistic, kFloat, kFloat));
    CHECK(cycles(Operator::kRelu6, {floats}, floats) == unary(UnaryKind::kClamp, kFloat, kFloat));
    CHECK(cycles(Operator::kQuantize, {floats}, bytes) ==
          unary(UnaryKind::kQuantize, kFloat, kByte));
    CHECK(cycles(Operator::kDequantize, {bytes}, floats) ==
          unary(UnaryKind::kDequantize, kByte, kFloat));
    CHECK(cycles(Operator::kQuantize, {bytes}, bytes) ==
          unary(UnaryKind::kRequantize, kByte, kByte));
}

TEST_CASE("softmax costs the same as the softmax command, along each axis [E-3]") {
    const std::uint32_t extents[] = {2, 3, 5, 7};
    for (const Types& type : kTypes) {
        const VecOperand operand = tensor(type.tensor, {2, 3, 5, 7});
        for (std::int32_t axis = 0; axis < 4; ++axis) {
            VecSoftmax work{};
            work.type = type.element;
            work.outer = 1;
            work.axis = extents[axis];
            work.inner = 210 / work.axis;
            CHECK(cycles(Operator::kSoftmax, {operand, scalarOperand(0), scalarOperand(axis)},
                         operand) == vectorCycles(kUnit, work));
            CHECK(cycles(Operator::kSoftmax, {operand, scalarOperand(0), scalarOperand(axis - 4)},
                         operand) == vectorCycles(kUnit, work));
        }
    }
}

TEST_CASE("means cost the same as the reduction command [E-3]") {
    for (const Types& type : kTypes) {
        VecReduce work{};
        work.type = type.element;
        work.reduceMask = 0b0110;
        work.dims[0] = 2;
        work.dims[1] = 9;
        work.dims[2] = 5;
        work.dims[3] = 30;
        CHECK(cycles(Operator::kMean,
                     {tensor(type.tensor, {2, 9, 5, 30}), scalarOperand(0), scalarOperand(0)},
                     tensor(type.tensor, {2, 30})) == vectorCycles(kUnit, work));
    }
}

TEST_CASE("operators without another command cost their formula [E-3]") {
    const VecOperand floats = tensor(TensorType::kFloat32, {2, 16});
    CHECK(cycles(Operator::kDiv, {floats, floats, scalarOperand(0)}, floats) == 16 + 4 * 5);
    CHECK(cycles(Operator::kTopkV2, {floats, scalarOperand(3)},
                 tensor(TensorType::kFloat32, {2, 3})) == 16 + 2 * 16 * 4);
    const VecOperand halves = tensor(TensorType::kFloat16, {2, 16});
    CHECK(cycles(Operator::kExp, {halves}, halves) == 16 + 2 * 5);
}

TEST_SUITE_END();

}  // namespace vnpu::hw

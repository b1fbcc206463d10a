// SPDX-License-Identifier: Apache-2.0
// Functions available both as commands of the vector unit and as whole operators give the same
// bytes on both, whichever the driver chooses.
#include <doctest/doctest.h>

#include <bit>

#include "driver/compiler/ir/quantization.h"
#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/operators/element_operands.h"

namespace vnpu::test::elements {
namespace {

using driver::QuantizedMultiplier;
using hw::ElementType;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

constexpr TensorType kComparedTypes[] = {TensorType::kFloat32, TensorType::kQuant8Asymm,
                                         TensorType::kQuant8AsymmSigned};

ElementType elementOf(TensorType type) {
    switch (type) {
        case TensorType::kFloat32:
            return ElementType::kFloat32;
        case TensorType::kQuant8Asymm:
            return ElementType::kUint8;
        default:
            return ElementType::kInt8;
    }
}

// The SRAM of one command.
class Sram {
  public:
    std::uint32_t place(std::size_t sizeBytes) {
        const std::size_t offset = (bytes_.size() + 3) / 4 * 4;
        bytes_.resize(offset + sizeBytes);
        return static_cast<std::uint32_t>(offset);
    }
    std::uint32_t place(const std::vector<std::byte>& data) {
        const std::uint32_t offset = place(data.size());
        std::copy(data.begin(), data.end(), bytes_.begin() + offset);
        return offset;
    }
    std::byte* data() { return bytes_.data(); }
    std::vector<std::byte> read(std::uint32_t offset, std::size_t sizeBytes) const {
        const auto first = bytes_.begin() + offset;
        return {first, first + static_cast<std::ptrdiff_t>(sizeBytes)};
    }

  private:
    std::vector<std::byte> bytes_;
};

hw::OutputStage stageOf(const OperandKind& output, driver::Activation activation,
                        const QuantizedMultiplier& scaling) {
    const driver::ClampRange clamp = driver::activationRange(activation, elementOf(output.type),
                                                             output.scale, output.zeroPoint);
    hw::OutputStage stage{};
    stage.zeroPoint = output.zeroPoint;
    stage.clampMin = clamp.min;
    stage.clampMax = clamp.max;
    stage.multiplier = scaling.multiplier;
    stage.shift = scaling.shift;
    return stage;
}

std::vector<std::byte> runOperator(OperatorCase& call) {
    const bool isDone = call.run() == JobStatus::kOk;
    REQUIRE_MESSAGE(isDone, call.reason());
    return call.values<std::byte>(0);
}

RandomOperand anyOperand(Random& random, TensorType type) {
    return randomOperand(random, randomKind(random, type),
                         {random.pick<std::uint32_t>(1, 3), random.pick<std::uint32_t>(1, 9),
                          random.pick<std::uint32_t>(1, 9), random.pick<std::uint32_t>(1, 40)});
}

std::vector<std::byte> combineOnVectorUnit(const RandomOperand& a, const RandomOperand& b,
                                           const OperandKind& output, hw::EltwiseKind kind,
                                           driver::Activation activation) {
    Sram sram;
    hw::VecEltwise work{};
    work.type = elementOf(output.type);
    work.kind = kind;
    work.inputSram[0] = sram.place(a.bytes);
    work.inputSram[1] = sram.place(b.bytes);
    work.outputSram = sram.place(a.bytes.size());
    work.dims[0] = work.dims[1] = work.dims[2] = 1;
    work.dims[3] = static_cast<std::uint32_t>(a.size());
    work.strides[0][3] = work.strides[1][3] = 1;
    QuantizedMultiplier scaling;
    if (work.type != ElementType::kFloat32) {
        work.inputZeroPoint[0] = a.kind.zeroPoint;
        work.inputZeroPoint[1] = b.kind.zeroPoint;
        const auto add = driver::addMultipliers(a.kind.scale, b.kind.scale, output.scale);
        for (int i = 0; i < 2; ++i) {
            work.inputMultiplier[i] = add.input[i].multiplier;
            work.inputShift[i] = add.input[i].shift;
        }
        work.leftShift = driver::AddMultipliers::kLeftShift;
        scaling = kind == hw::EltwiseKind::kAdd
                          ? add.output
                          : driver::productMultiplier(a.kind.scale, b.kind.scale, output.scale);
    }
    work.outputStage = stageOf(output, activation, scaling);
    hw::kernels::vecEltwise(work, sram.data());
    return sram.read(work.outputSram, a.bytes.size());
}

// A command of one operand, complete except for memory and types.
std::vector<std::byte> mapOnVectorUnit(hw::VecUnary work, const RandomOperand& input,
                                       TensorType output, const std::vector<std::byte>& table) {
    Sram sram;
    work.inputType = elementOf(input.kind.type);
    work.outputType = elementOf(output);
    work.count = static_cast<std::uint32_t>(input.size());
    const std::size_t sizeBytes = input.size() * hw::elementBytes(output);
    work.inputSram = sram.place(input.bytes);
    work.outputSram = sram.place(sizeBytes);
    work.tableSram = sram.place(table);
    hw::kernels::vecUnary(work, sram.data());
    return sram.read(work.outputSram, sizeBytes);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators/vector_unit_agreement");

TEST_CASE("ADD and MUL give the same bytes on both paths [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const TensorType type = kComparedTypes[random.between(0, 2)];
        const RandomOperand a = anyOperand(random, type);
        const RandomOperand b = randomOperand(random, randomKind(random, type), a.dimensions);
        const OperandKind output = randomKind(random, type);
        const auto activation = random.pick<std::int32_t>(0, 3);
        const bool isSum = random.oneIn(2);
        OperatorCase call(isSum ? Operator::kAdd : Operator::kMul);
        a.addTo(call);
        b.addTo(call);
        call.int32(activation).output(output);
        CAPTURE(seed);
        REQUIRE(runOperator(call) ==
                combineOnVectorUnit(a, b, output,
                                    isSum ? hw::EltwiseKind::kAdd : hw::EltwiseKind::kMul,
                                    static_cast<driver::Activation>(activation)));
    }
}

TEST_CASE("RELU, RELU1 and RELU6 give the same bytes on both paths [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const TensorType type = kComparedTypes[random.between(0, 2)];
        const RandomOperand input = anyOperand(random, type);
        const OperandKind output = random.oneIn(2) ? input.kind : randomKind(random, type);
        constexpr Operator kRelus[] = {Operator::kRelu, Operator::kRelu1, Operator::kRelu6};
        const auto which = random.pick<std::size_t>(0, 2);
        OperatorCase call(kRelus[which]);
        input.addTo(call);
        call.output(output);
        hw::VecUnary work{};
        const bool isSame = type == TensorType::kFloat32 || output.scale == input.kind.scale;
        work.kind = isSame ? hw::UnaryKind::kClamp : hw::UnaryKind::kRequantize;
        work.inputZeroPoint = input.kind.zeroPoint;
        const QuantizedMultiplier scaling =
                isSame ? QuantizedMultiplier{}
                       : driver::quantizeMultiplier(double{input.kind.scale} /
                                                    double{output.scale});
        work.outputStage = stageOf(output, static_cast<driver::Activation>(which + 1), scaling);
        CAPTURE(seed);
        REQUIRE(runOperator(call) == mapOnVectorUnit(work, input, type, {}));
    }
}

TEST_CASE("LOGISTIC gives the same bytes on both paths [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const TensorType type = kComparedTypes[random.between(0, 2)];
        const RandomOperand input = anyOperand(random, type);
        OperandKind output{type};
        hw::VecUnary work{};
        work.kind = hw::UnaryKind::kLogistic;
        std::vector<std::byte> table;
        if (type != TensorType::kFloat32) {
            output.scale = 1.0F / 256;
            output.zeroPoint = static_cast<std::int32_t>(lowestLevel(type));
            work.kind = hw::UnaryKind::kLut;
            table = driver::logisticTable(elementOf(type), input.kind.scale, input.kind.zeroPoint,
                                          output.zeroPoint);
        }
        OperatorCase call(Operator::kLogistic);
        input.addTo(call);
        call.output(output);
        CAPTURE(seed);
        REQUIRE(runOperator(call) == mapOnVectorUnit(work, input, type, table));
    }
}

TEST_CASE("QUANTIZE and DEQUANTIZE give the same bytes on both paths [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const TensorType type = kComparedTypes[random.between(1, 2)];
        const OperandKind kind = randomKind(random, type);
        const RandomOperand floats = anyOperand(random, TensorType::kFloat32);
        OperatorCase quantize(Operator::kQuantize);
        floats.addTo(quantize);
        quantize.output(kind);
        hw::VecUnary work{};
        work.kind = hw::UnaryKind::kQuantize;
        work.scale = kind.scale;
        work.outputStage = stageOf(kind, driver::Activation::kNone, {});
        CAPTURE(seed);
        REQUIRE(runOperator(quantize) == mapOnVectorUnit(work, floats, type, {}));
        const RandomOperand bytes = randomOperand(random, kind, floats.dimensions);
        OperatorCase dequantize(Operator::kDequantize);
        bytes.addTo(dequantize);
        dequantize.output({TensorType::kFloat32});
        work.kind = hw::UnaryKind::kDequantize;
        work.inputZeroPoint = kind.zeroPoint;
        REQUIRE(runOperator(dequantize) == mapOnVectorUnit(work, bytes, TensorType::kFloat32, {}));
    }
}

TEST_CASE("SOFTMAX along any axis gives the same bytes on both paths [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const TensorType type = kComparedTypes[random.between(0, 2)];
        RandomOperand input = anyOperand(random, type);
        if (random.oneIn(20)) {  // sums of more than 31 bits
            input = randomOperand(random, {type, 0.0001F, 0}, {1, 1, 1, 7000});
        }
        OperandKind output{type};
        if (type != TensorType::kFloat32) {
            output.scale = 1.0F / 256;
            output.zeroPoint = static_cast<std::int32_t>(lowestLevel(type));
        }
        const auto axis = random.pick<std::int32_t>(0, 3);
        const float beta = 0.1F + std::abs(random.real()) * 3;
        OperatorCase call(Operator::kSoftmax);
        input.addTo(call);
        call.real(beta).int32(axis).output(output);
        Sram sram;
        hw::VecSoftmax work{};
        work.type = elementOf(type);
        work.inputSram = sram.place(input.bytes);
        work.outputSram = sram.place(input.bytes.size());
        const AxisExtents lines(input.dimensions, static_cast<std::size_t>(axis));
        work.outer = static_cast<std::uint32_t>(lines.outer);
        work.axis = static_cast<std::uint32_t>(lines.length);
        work.inner = static_cast<std::uint32_t>(lines.inner);
        const auto parameters = driver::softmaxParameters(beta, input.kind.scale);
        work.inputMultiplier = parameters.multiplier;
        work.inputLeftShift = parameters.leftShift;
        work.diffMin = parameters.diffMin;
        work.beta = beta;
        hw::kernels::vecSoftmax(work, sram.data());
        CAPTURE(seed);
        REQUIRE(runOperator(call) == sram.read(work.outputSram, input.bytes.size()));
    }
}

TEST_CASE("MEAN along any axes gives the same bytes on both paths [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const RandomOperand input = anyOperand(random, kComparedTypes[random.between(0, 2)]);
        Sram sram;
        hw::VecReduce work{};
        work.type = elementOf(input.kind.type);
        work.reduceMask = random.pick<std::uint8_t>(1, 15);
        std::vector<std::int32_t> axes;
        for (std::int32_t d = 0; d < 4; ++d) {
            work.dims[d] = input.dimensions[static_cast<std::size_t>(d)];
            if (((work.reduceMask >> d) & 1) != 0) {
                axes.push_back(d);
            }
        }
        work.inputZeroPoint = input.kind.zeroPoint;
        work.inputSram = sram.place(input.bytes);
        work.outputSram = sram.place(input.bytes.size());
        hw::kernels::vecReduce(work, sram.data());
        OperatorCase call(Operator::kMean);
        input.addTo(call);
        call.int32s(axes).int32(1).output(input.kind);
        const std::vector<std::byte> bytes = runOperator(call);
        CAPTURE(seed);
        REQUIRE(bytes == sram.read(work.outputSram, bytes.size()));
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test::elements

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/driver/compiler/operator_case.h"

namespace vnpu::driver::test {
namespace {

using Types = std::vector<OperandType>;

OperandType pickOf(Dice& dice, const Types& types) {
    return types[static_cast<std::size_t>(dice.pick(0, static_cast<int>(types.size()) - 1))];
}

Dimensions randomShape(Dice& dice, std::uint32_t leastRank, std::uint32_t mostExtent) {
    Dimensions shape;
    for (std::uint32_t rank = dice.size(leastRank, 4); rank > 0; --rank) {
        shape.push_back(dice.size(1, mostExtent));
    }
    return shape;
}

/// Type and quantization of a random tensor.
TensorSpec like(Dice& dice, OperandType type) {
    return randomTensor(dice, type, {1}).spec;
}

struct Family {
    std::vector<OperationType> operations;
    Types types;
    bool makesTruths = false;
    bool hasActivation = false;
};

std::string runBinary(const Family& family, OperationType operation, Dice& dice) {
    const OperandType type = pickOf(dice, family.types);
    Dimensions a = randomShape(dice, 1, 11);
    Dimensions b = a;
    for (std::size_t d = 0; d < a.size(); ++d) {
        const int broadcast = dice.pick(0, 3);
        a[d] = broadcast == 1 ? 1 : a[d];
        b[d] = broadcast == 2 ? 1 : b[d];
    }
    if (dice.chance(3)) {
        b.erase(b.begin(), b.begin() + dice.pick(0, static_cast<int>(b.size()) - 1));
    }
    OperatorCase c{operation, {randomTensor(dice, type, a), randomTensor(dice, type, b)}, {}};
    if (family.hasActivation) {
        c.inputs.push_back(scalar(type == kInt ? 0 : dice.pick(0, 3)));
    }
    c.output = like(dice, family.makesTruths ? kBool : type);
    return checkTiles(c);
}

std::string runUnary(OperationType operation, OperandType from, OperandType to, Dice& dice) {
    OperatorCase c{operation, {randomTensor(dice, from, randomShape(dice, 1, 11))}, {}};
    if (operation == OperationType::ELU) {
        c.inputs.push_back(realScalar(from, 0.5F));
    }
    c.output = like(dice, to);
    return checkTiles(c);
}

std::vector<std::int32_t> randomAxes(Dice& dice, std::size_t rank) {
    std::vector<std::int32_t> axes;
    const auto signedRank = static_cast<std::int32_t>(rank);
    for (std::int32_t count = dice.pick(1, signedRank); count > 0; --count) {
        axes.push_back(dice.pick(-signedRank, signedRank - 1));
    }
    return axes;
}

std::string runReduction(OperationType operation, OperandType type, Dice& dice) {
    Dimensions shape(dice.size(1, 4));
    const std::vector<std::int32_t> axes = randomAxes(dice, shape.size());
    for (std::uint32_t& extent :
         shape) {  // small where reduced, because reduced dimensions are not divided
        extent = dice.size(1, 14);
    }
    for (const std::int32_t axis : axes) {
        const auto d = axis < 0 ? axis + static_cast<std::int32_t>(shape.size()) : axis;
        shape[static_cast<std::size_t>(d)] = dice.size(1, 4);
    }
    const bool isMean = operation == OperationType::MEAN;
    const bool keeps = dice.chance(2);
    OperatorCase c{operation,
                   {randomTensor(dice, type, shape), axisList(axes),
                    isMean ? scalar(keeps ? 1 : 0) : scalar(keeps)},
                   {}};
    c.output = c.inputs[0].spec;
    return checkTiles(c);
}

std::string runLines(OperationType operation, OperandType type, Dice& dice) {
    const Dimensions shape = randomShape(dice, 1, 9);
    const auto rank = static_cast<std::int32_t>(shape.size());
    OperatorCase c{operation, {randomTensor(dice, type, shape)}, {}};
    if (operation == OperationType::LOCAL_RESPONSE_NORMALIZATION) {
        c.inputs.push_back(scalar(dice.pick(0, 4)));
        for (const float value : {1.0F, 0.5F, 0.5F}) {
            c.inputs.push_back(realScalar(type, value));
        }
    } else if (operation != OperationType::L2_NORMALIZATION) {
        c.inputs.push_back(realScalar(type, 0.5F));
    }
    if (operation == OperationType::LOG_SOFTMAX || !dice.chance(4)) {
        c.inputs.push_back(scalar(dice.pick(-rank, rank - 1)));
    }
    c.output = {type, {}};
    if (type == kByte || type == kSigned) {
        c.output.scale = 1.0F / 128.0F;
        c.output.zeroPoint = type == kByte ? 128 : 0;
    }
    return checkTiles(c);
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/base/vector_operator");

TEST_CASE("tiles of two operands give the results of whole operands [E-2]") {
    using Op = OperationType;
    const std::vector<Family> families{
            {{Op::ADD, Op::MUL}, {kHalf, kInt}, false, true},
            {{Op::SUB}, {kHalf, kFloat, kInt, kByte, kSigned}, false, true},
            {{Op::DIV}, {kHalf, kFloat, kInt}, false, true},
            {{Op::MAXIMUM, Op::MINIMUM}, {kHalf, kFloat, kInt, kByte, kSigned}},
            {{Op::POW}, {kHalf, kFloat}},
            {{Op::PRELU}, {kHalf, kFloat, kByte, kSigned}},
            {{Op::EQUAL, Op::NOT_EQUAL, Op::LESS, Op::LESS_EQUAL, Op::GREATER, Op::GREATER_EQUAL},
             {kHalf, kFloat, kInt, kByte, kSigned, kBool},
             true},
            {{Op::LOGICAL_AND, Op::LOGICAL_OR}, {kBool}, true},
    };
    for (const Family& family : families) {
        for (const Op operation : family.operations) {
            for (std::uint32_t seed = 0; seed < 20; ++seed) {
                CAPTURE(seed);
                Dice dice(seed);
                CHECK(runBinary(family, operation, dice) == "");
            }
        }
    }
}

TEST_CASE("tiles of elementwise functions give the results of the whole operand [E-2]") {
    using Op = OperationType;
    const std::vector<Family> families{
            {{Op::TANH, Op::HARD_SWISH}, {kHalf, kFloat, kByte, kSigned}},
            {{Op::RELU, Op::RELU1, Op::RELU6, Op::LOGISTIC}, {kHalf}},
            {{Op::ELU, Op::EXP, Op::FLOOR, Op::LOG, Op::RSQRT, Op::SIN, Op::SQRT}, {kHalf, kFloat}},
            {{Op::ABS, Op::NEG}, {kHalf, kFloat, kInt}},
            {{Op::LOGICAL_NOT}, {kBool}},
    };
    for (const Family& family : families) {
        for (const Op operation : family.operations) {
            for (const OperandType type : family.types) {
                Dice dice(7);
                for (int i = 0; i < 5; ++i) {
                    CHECK(runUnary(operation, type, type, dice) == "");
                }
            }
        }
    }
}

TEST_CASE("tiles of conversions give the results of the whole operand [E-2]") {
    Dice dice(11);
    for (const OperandType from : {kHalf, kFloat, kInt, kByte, kSigned, kBool}) {
        for (const OperandType to : {kHalf, kFloat, kInt, kByte, kSigned, kBool}) {
            CHECK(runUnary(OperationType::CAST, from, to, dice) == "");
        }
    }
    for (const OperandType type : {kByte, kSigned}) {
        CHECK(runUnary(OperationType::QUANTIZE, kHalf, type, dice) == "");
        CHECK(runUnary(OperationType::DEQUANTIZE, type, kHalf, dice) == "");
    }
}

TEST_CASE("tiles of DEQUANTIZE to halves take scales by channel along any dimension [E-2]") {
    Dice dice(12);
    for (std::uint32_t dimension = 0; dimension < 3; ++dimension) {
        Dimensions shape{4, 5, 6};
        shape[dimension] = 3;
        const OperandType type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
        OperatorCase c{OperationType::DEQUANTIZE, {randomTensor(dice, type, shape)}, {kHalf, {}}};
        c.inputs[0].spec.channelScales = {0.5F, 0.25F, 2.0F};
        c.inputs[0].spec.channelDimension = dimension;
        CHECK(checkTiles(c) == "");
    }
}

TEST_CASE("tiles of SELECT give the results of whole operands [E-2]") {
    Dice dice(13);
    for (const OperandType type : {kHalf, kFloat, kInt, kByte, kSigned}) {
        const Dimensions shape = randomShape(dice, 1, 11);
        const OperatorCase c{OperationType::SELECT,
                             {randomTensor(dice, kBool, shape), randomTensor(dice, type, shape),
                              randomTensor(dice, type, shape)},
                             like(dice, type)};
        CHECK(checkTiles(c) == "");
    }
}

TEST_CASE("tiles of reductions over any axes give the results of the whole operand [E-2]") {
    using Op = OperationType;
    const std::vector<Family> families{
            {{Op::MEAN}, {kHalf}},
            {{Op::REDUCE_SUM, Op::REDUCE_PROD}, {kHalf, kFloat}},
            {{Op::REDUCE_MAX, Op::REDUCE_MIN}, {kHalf, kFloat, kByte, kSigned}},
            {{Op::REDUCE_ALL, Op::REDUCE_ANY}, {kBool}},
    };
    for (const Family& family : families) {
        for (const Op operation : family.operations) {
            for (const OperandType type : family.types) {
                Dice dice(17);
                for (int i = 0; i < 15; ++i) {
                    CHECK(runReduction(operation, type, dice) == "");
                }
            }
        }
    }
}

TEST_CASE("reductions of more than the SRAM are cut along the reduced axes [E-2]") {
    Dice dice(18);
    for (const std::vector<std::int32_t>& axes :
         {std::vector<std::int32_t>{0}, {1}, {0, 2}, {3, 1}}) {
        const OperatorCase c{
                OperationType::REDUCE_SUM,
                {randomTensor(dice, kFloat, {9, 10, 11, 12}), axisList(axes), scalar(false)},
                {kFloat, {}}};
        CHECK(checkTiles(c) == "");
    }
}

TEST_CASE("tiles of ARGMIN and ARGMAX give the results of the whole operand [E-2]") {
    Dice dice(19);
    for (const OperationType operation : {OperationType::ARGMAX, OperationType::ARGMIN}) {
        for (const OperandType type : {kHalf, kFloat, kInt, kByte, kSigned}) {
            for (int i = 0; i < 8; ++i) {
                const Dimensions shape = randomShape(dice, 1, 9);
                const auto rank = static_cast<std::int32_t>(shape.size());
                const OperatorCase c{
                        operation,
                        {randomTensor(dice, type, shape), scalar(dice.pick(-rank, rank - 1))},
                        {kInt, {}}};
                CHECK(checkTiles(c) == "");
            }
        }
    }
}

TEST_CASE("tiles of normalizations along any axis give the results of the whole operand [E-2]") {
    using Op = OperationType;
    const std::vector<Family> families{
            {{Op::SOFTMAX}, {kHalf}},
            {{Op::LOG_SOFTMAX, Op::LOCAL_RESPONSE_NORMALIZATION}, {kHalf, kFloat}},
            {{Op::L2_NORMALIZATION}, {kHalf, kFloat, kByte, kSigned}},
    };
    for (const Family& family : families) {
        for (const Op operation : family.operations) {
            for (const OperandType type : family.types) {
                Dice dice(23);
                for (int i = 0; i < 15; ++i) {
                    CHECK(runLines(operation, type, dice) == "");
                }
            }
        }
    }
}

TEST_CASE("tiles of INSTANCE_NORMALIZATION take whole images of either layout [E-2]") {
    Dice dice(29);
    for (const bool isChannelsFirst : {false, true}) {
        const Dimensions shape =
                isChannelsFirst ? Dimensions{3, 12, 5, 7} : Dimensions{3, 5, 7, 12};
        for (const OperandType type : {kHalf, kFloat}) {
            const OperatorCase c{
                    OperationType::INSTANCE_NORMALIZATION,
                    {randomTensor(dice, type, shape), realScalar(type, 2.0F),
                     realScalar(type, 0.5F), realScalar(type, 0.0078125F), scalar(isChannelsFirst)},
                    {type, {}}};
            CHECK(checkTiles(c) == "");
        }
    }
}

TEST_CASE("operands larger than the SRAM are cut into tiles [Q-5]") {
    Dice dice(31);
    const Dimensions shape{64, 64};
    const OperatorCase c{
            OperationType::ADD,
            {randomTensor(dice, kHalf, shape), randomTensor(dice, kHalf, shape), scalar(0)},
            {kHalf, {}}};
    const auto large = compileCase(c, shape, edgeDevice());
    const auto small = compileCase(c, shape, tinyDevice(4096, 256));
    REQUIRE((large && small));
    CHECK(countCommands(*large, hw::Opcode::kVecOperator) >= 1);
    // 24 KiB of operands through 4 KiB.
    CHECK(countCommands(*small, hw::Opcode::kVecOperator) >= 6);
}

TEST_CASE("types of the fused forms keep them [E-2]") {
    Dice dice(37);
    for (const OperandType type : {kFloat, kByte, kSigned}) {
        const OperatorCase c{
                OperationType::ADD,
                {randomTensor(dice, type, {8}), randomTensor(dice, type, {8}), scalar(0)},
                like(dice, type)};
        const auto compiled = compileCase(c, {8}, edgeDevice());
        REQUIRE(compiled);
        CHECK(countCommands(*compiled, hw::Opcode::kVecEltwise) == 1);
        CHECK(countCommands(*compiled, hw::Opcode::kVecOperator) == 0);
    }
}

TEST_CASE("operations with arguments from the request run on the DSP [E-2]") {
    Dice dice(41);
    OperatorCase c{OperationType::REDUCE_SUM,
                   {randomTensor(dice, kFloat, {4, 4}), axisList({1}), scalar(false)},
                   {kFloat, {}}};
    c.inputs[1].isConstant = false;
    const auto compiled = compileCase(c, {4}, edgeDevice());
    REQUIRE(compiled);
    CHECK(countCommands(*compiled, hw::Opcode::kDspOperator) == 1);
    CHECK(countCommands(*compiled, hw::Opcode::kVecOperator) == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

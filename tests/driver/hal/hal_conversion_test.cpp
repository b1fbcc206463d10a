// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/hal_conversion.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

namespace nn = android::hardware::neuralnetworks;
using vnpu::driver::borrowModel;

template <typename Operand>
Operand operandOf(std::int32_t type, const std::vector<std::uint32_t>& dimensions,
                  nn::V1_0::OperandLifeTime lifetime) {
    Operand operand;
    operand.type = static_cast<decltype(operand.type)>(type);
    operand.dimensions = dimensions;
    operand.lifetime = lifetime;
    operand.numberOfConsumers = lifetime == nn::V1_0::OperandLifeTime::MODEL_OUTPUT ? 0 : 1;
    if (lifetime == nn::V1_0::OperandLifeTime::CONSTANT_COPY) {
        operand.location.length = 4;
    }
    return operand;
}

/// A SOFTMAX of floats; its axis came with 1.2.
template <typename Model, typename Operand>
Model softmax(bool hasAxis) {
    using Lifetime = nn::V1_0::OperandLifeTime;
    using Type = nn::V1_0::OperandType;
    const auto number = [](Type type) { return static_cast<std::int32_t>(type); };
    std::vector<Operand> operands = {
            operandOf<Operand>(number(Type::TENSOR_FLOAT32), {2, 5}, Lifetime::MODEL_INPUT),
            operandOf<Operand>(number(Type::FLOAT32), {}, Lifetime::CONSTANT_COPY),
            operandOf<Operand>(number(Type::TENSOR_FLOAT32), {2, 5}, Lifetime::MODEL_OUTPUT)};
    std::vector<std::uint32_t> inputs = {0, 1};
    if (hasAxis) {
        operands.push_back(operandOf<Operand>(number(Type::INT32), {}, Lifetime::CONSTANT_COPY));
        inputs.push_back(3);
    }
    Model model;
    model.operands = operands;
    model.operations.resize(1);
    model.operations[0].type = std::remove_reference_t<decltype(model.operations[0].type)>::SOFTMAX;
    model.operations[0].inputs = inputs;
    model.operations[0].outputs = {2};
    model.inputIndexes = {0};
    model.outputIndexes = {2};
    model.operandValues.resize(4);
    return model;
}

template <typename Result>
std::string reasonOf(const Result& result) {
    return result.has_value() ? "" : result.error().reason;
}

constexpr const char* kNeeds12 = "this needs HAL 1.2, the model is of 1.";

}  // namespace

TEST_SUITE_BEGIN("driver/hal/hal_conversion");

TEST_CASE("a model keeps its meaning when it is converted to 1.3 [E-8]") {
    const auto model = borrowModel(softmax<nn::V1_0::Model, nn::V1_0::Operand>(false));
    REQUIRE_EQ(reasonOf(model), "");
    CHECK_EQ(model->main.operands.size(), 3);
    CHECK_EQ(model->main.operands[2].lifetime, nn::V1_3::OperandLifeTime::SUBGRAPH_OUTPUT);
    CHECK_EQ(model->main.operations[0].type, nn::V1_3::OperationType::SOFTMAX);
    CHECK_EQ(model->main.inputIndexes, android::hardware::hidl_vec<std::uint32_t>{0});
}

TEST_CASE(
        "a later form of an operation is refused by earlier versions and accepted from its own on "
        "[E-8]") {
    const std::string in10 =
            reasonOf(borrowModel(softmax<nn::V1_0::Model, nn::V1_0::Operand>(true)));
    const std::string in11 =
            reasonOf(borrowModel(softmax<nn::V1_1::Model, nn::V1_0::Operand>(true)));
    const std::string in12 =
            reasonOf(borrowModel(softmax<nn::V1_2::Model, nn::V1_2::Operand>(true)));
    CHECK_NE(in10.find(std::string(kNeeds12) + "0"), std::string::npos);
    CHECK_NE(in11.find(std::string(kNeeds12) + "1"), std::string::npos);
    CHECK_EQ(in12, "");
}

TEST_CASE("the numbers of later types are refused [E-8]") {
    auto model = softmax<nn::V1_0::Model, nn::V1_0::Operand>(false);
    model.operands[0].type = static_cast<nn::V1_0::OperandType>(8);  // TENSOR_FLOAT16
    CHECK_EQ(reasonOf(borrowModel(model)),
             "operand 0 has type TENSOR_FLOAT16, which HAL 1.0 does not have");
    model = softmax<nn::V1_0::Model, nn::V1_0::Operand>(false);
    model.operations[0].type = static_cast<nn::V1_0::OperationType>(30);  // DIV
    CHECK_EQ(reasonOf(borrowModel(model)), "operation 0 is DIV, which HAL 1.0 does not have");
}

TEST_CASE("kinds of pools of version 1.2 are refused by earlier versions [MP-4]") {
    using android::hardware::hidl_memory;
    auto model = softmax<nn::V1_1::Model, nn::V1_0::Operand>(false);
    model.pools = {hidl_memory("hardware_buffer_blob", nullptr, 16)};
    CHECK_EQ(reasonOf(borrowModel(model)),
             "pool 0 is a \"hardware_buffer_blob\", which HAL 1.1 does not have");
    auto later = softmax<nn::V1_2::Model, nn::V1_2::Operand>(false);
    later.pools = model.pools;
    CHECK_EQ(reasonOf(borrowModel(later)), "");
}

TEST_SUITE_END();

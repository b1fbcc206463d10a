// SPDX-License-Identifier: Apache-2.0
// Models built from the rows of example_calls.h.
#include <fmt/format.h>

#include <bit>
#include <sstream>
#include <stdexcept>

#include "driver/validation/operation_table.h"
#include "hw_model/regs/operand_notation.h"
#include "tests/driver/validation/example_calls.h"

namespace vnpu::driver::test {

namespace {

OperandType typeOf(const std::string& name) {
    const std::pair<const char*, OperandType> kNames[] = {
            {"f32", OperandType::TENSOR_FLOAT32},
            {"f16", OperandType::TENSOR_FLOAT16},
            {"i32", OperandType::TENSOR_INT32},
            {"b8", OperandType::TENSOR_BOOL8},
            {"q8", OperandType::TENSOR_QUANT8_ASYMM},
            {"q8s", OperandType::TENSOR_QUANT8_ASYMM_SIGNED},
            {"q8y", OperandType::TENSOR_QUANT8_SYMM},
            {"q16a", OperandType::TENSOR_QUANT16_ASYMM},
            {"q16y", OperandType::TENSOR_QUANT16_SYMM},
            {"pc0", OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL}};
    for (const auto& [known, type] : kNames) {
        if (name == known) {
            return type;
        }
    }
    throw std::runtime_error("no type is called " + name);
}

void makePerChannel(Operand& operand) {
    // The channels of a depthwise filter are its last dimension; its first dimension is 1.
    nn::V1_2::SymmPerChannelQuantParams quant;
    quant.channelDim = operand.dimensions[0] == 1 ? 3 : 0;
    quant.scales = std::vector<float>(operand.dimensions[quant.channelDim], 0.5F);
    operand.extraParams.channelQuant(quant);
}

std::uint32_t addOperand(ValidModelBuilder& builder, const hw::CallWord& word, OperandType main,
                         OperandLifeTime lifetime) {
    const hw::TypeSet types = hw::typesOfLetter(word.letter, typeBit(main));
    const auto type = static_cast<OperandType>(std::countr_zero(types));
    if (hw::isScalar(static_cast<hw::TensorType>(type)) &&
        lifetime == OperandLifeTime::SUBGRAPH_INPUT) {
        return builder.scalar(type);
    }
    const std::uint32_t index = builder.add(
            type, word.dimensions, word.isOmitted ? OperandLifeTime::NO_VALUE : lifetime,
            word.scale != 0 ? word.scale : usualScale(type), word.zeroPoint.value_or(0));
    if (type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        makePerChannel(builder.operand(index));
    }
    return index;
}

std::vector<std::uint32_t> addOperands(ValidModelBuilder& builder, const char* row,
                                       OperandType main, OperandLifeTime lifetime) {
    std::vector<std::uint32_t> indexes;
    for (const hw::CallWord& word : hw::parseCall(row)) {
        for (std::uint32_t i = 0; i < word.count; ++i) {
            indexes.push_back(addOperand(builder, word, main, lifetime));
        }
    }
    return indexes;
}

ExampleModel makeExample(const ExampleCall& call, const std::string& type, char minorVersion) {
    ValidModelBuilder builder;
    const OperandType main = typeOf(type);
    const auto inputs = addOperands(builder, call.inputs, main, OperandLifeTime::SUBGRAPH_INPUT);
    const auto outputs = addOperands(builder, call.outputs, main, OperandLifeTime::SUBGRAPH_OUTPUT);
    builder.operation(call.operation, inputs, outputs);
    return {fmt::format("{} of {}: {} -> {}", toString(call.operation), type, call.inputs,
                        call.outputs),
            static_cast<HalVersion>(minorVersion - '0'), builder.build()};
}

void addExamples(std::span<const ExampleCall> calls, std::vector<ExampleModel>& models) {
    for (const ExampleCall& call : calls) {
        std::istringstream words(call.types);
        for (std::string word; words >> word;) {
            const std::size_t at = word.find("@1.");
            models.push_back(makeExample(call, word.substr(0, at), word.back()));
        }
    }
}

/// A subgraph of one operation, whose constants are in operandValues from `firstByte` on.
nn::V1_3::Subgraph subgraphOf(const Model& model, std::uint32_t firstByte) {
    nn::V1_3::Subgraph subgraph = model.main;
    for (Operand& operand : subgraph.operands) {
        if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
            operand.location.offset += firstByte;
        }
    }
    return subgraph;
}

std::uint32_t addReference(ValidModelBuilder& builder, std::uint32_t subgraph) {
    const auto index = builder.add(OperandType::SUBGRAPH, {}, OperandLifeTime::SUBGRAPH);
    builder.operand(index).location.offset = subgraph;
    return index;
}

}  // namespace

std::vector<ExampleModel> exampleModels() {
    std::vector<ExampleModel> models;
    addExamples(exampleCalls(), models);
    addExamples(exampleLayerCalls(), models);
    return models;
}

Model branchModel(OperandType type) {
    const auto arithmetic = [type](OperationType operation) {
        ValidModelBuilder branch;
        const auto left = branch.input(type, {2, 3});
        const auto right = branch.input(type, {2, 3});
        const auto activation = branch.scalar(OperandType::INT32);
        branch.operation(operation, {left, right, activation}, {branch.output(type, {2, 3})});
        return branch.build();
    };
    ValidModelBuilder builder;
    const auto condition = builder.input(OperandType::TENSOR_BOOL8, {1});
    const auto yes = addReference(builder, 0);
    const auto no = addReference(builder, 1);
    const auto left = builder.input(type, {2, 3});
    const auto right = builder.input(type, {2, 3});
    builder.operation(OperationType::IF, {condition, yes, no, left, right},
                      {builder.output(type, {2, 3})});
    Model model = builder.build();
    model.referenced = {subgraphOf(arithmetic(OperationType::ADD), 0),
                        subgraphOf(arithmetic(OperationType::MUL), 4)};
    model.operandValues.resize(8);
    return model;
}

Model loopModel() {
    ValidModelBuilder condition;  // the loop runs while counter < limit
    condition.input(kFloat, {2, 3});
    const auto counter = condition.input(kFloat, {1});
    const auto limit = condition.input(kFloat, {1});
    condition.operation(OperationType::LESS, {counter, limit},
                        {condition.output(OperandType::TENSOR_BOOL8, {1})});

    ValidModelBuilder body;  // sum += counter, counter += limit
    const auto sum = body.input(kFloat, {2, 3});
    const auto step = body.input(kFloat, {1});
    const auto other = body.input(kFloat, {1});
    const auto none = body.scalar(OperandType::INT32);
    body.operation(OperationType::ADD, {sum, step, none}, {body.output(kFloat, {2, 3})});
    body.operation(OperationType::ADD, {step, other, none}, {body.output(kFloat, {1})});

    ValidModelBuilder builder;
    const auto test = addReference(builder, 0);
    const auto loop = addReference(builder, 1);
    const auto start = builder.input(kFloat, {2, 3});
    const auto first = builder.input(kFloat, {1});
    const auto last = builder.input(kFloat, {1});
    builder.operation(OperationType::WHILE, {test, loop, start, first, last},
                      {builder.output(kFloat, {2, 3})});
    Model model = builder.build();
    model.referenced = {condition.build().main, body.build().main};
    model.operandValues.resize(4);
    return model;
}

}  // namespace vnpu::driver::test

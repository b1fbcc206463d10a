// SPDX-License-Identifier: Apache-2.0
// Models from the rows of example_calls.h.
#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "tests/driver/validation/example_calls.h"

namespace vnpu::driver::test {

namespace {

struct Token {
    OperandType type{};
    std::vector<std::uint32_t> dimensions;
    float scale = 0;
    std::int32_t zeroPoint = 0;
    bool isScalar = false;
    bool hasNoValue = false;
    int channelDimension = -1;
};

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
            {"pc0", OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL},
            {"pc3", OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL},
            {"i", OperandType::INT32},
            {"f", OperandType::FLOAT32},
            {"h", OperandType::FLOAT16},
            {"b", OperandType::BOOL}};
    for (const auto& [known, type] : kNames) {
        if (name == known) {
            return type;
        }
    }
    throw std::runtime_error("no type is called " + name);
}

std::string replaceType(std::string text, const std::string& type) {
    const std::size_t scalar = text.find("$s");
    if (scalar != std::string::npos) {
        return text.replace(scalar, 2, type == "f16" ? "h" : "f");
    }
    const std::size_t place = text.find('$');
    return place == std::string::npos ? text : text.replace(place, 1, type);
}

/// Reads "-name[2,3]*0.5+10"; sign and what follows the dimensions are optional.
Token parse(std::string text, const std::string& type) {
    Token token;
    token.hasNoValue = text.front() == '-';
    text = replaceType(token.hasNoValue ? text.substr(1) : text, type);
    const std::size_t open = text.find('[');
    const std::string name = text.substr(0, open);
    token.type = typeOf(name);
    token.isScalar = open == std::string::npos;
    token.scale = usualScale(token.type);
    token.channelDimension = name == "pc0" ? 0 : name == "pc3" ? 3 : -1;
    if (token.isScalar) {
        return token;
    }
    const std::size_t close = text.find(']');
    std::istringstream dimensions(text.substr(open + 1, close - open - 1));
    for (std::string part; std::getline(dimensions, part, ',');) {
        token.dimensions.push_back(static_cast<std::uint32_t>(std::stoul(part)));
    }
    std::istringstream quantisation(text.substr(close + 1));
    if (quantisation.peek() == '*') {
        quantisation.get();
        quantisation >> token.scale;
        quantisation >> token.zeroPoint;
    }
    return token;
}

void makePerChannel(Operand& operand, std::uint32_t channelDimension) {
    nn::V1_2::SymmPerChannelQuantParams quant;
    quant.channelDim = channelDimension;
    quant.scales = std::vector<float>(operand.dimensions[channelDimension], 0.5F);
    operand.extraParams.channelQuant(quant);
}

std::uint32_t addOperand(ValidModelBuilder& builder, const Token& token, OperandLifeTime lifetime) {
    if (token.isScalar && lifetime == OperandLifeTime::SUBGRAPH_INPUT) {
        return builder.scalar(token.type);
    }
    const std::uint32_t index = builder.add(token.type, token.dimensions,
                                            token.hasNoValue ? OperandLifeTime::NO_VALUE : lifetime,
                                            token.scale, token.zeroPoint);
    if (token.channelDimension >= 0) {
        makePerChannel(builder.operand(index), static_cast<std::uint32_t>(token.channelDimension));
    }
    return index;
}

std::vector<std::uint32_t> addOperands(ValidModelBuilder& builder, const char* row,
                                       const std::string& type, OperandLifeTime lifetime) {
    std::vector<std::uint32_t> indexes;
    std::istringstream words(row);
    for (std::string word; words >> word;) {
        indexes.push_back(addOperand(builder, parse(word, type), lifetime));
    }
    return indexes;
}

ExampleModel makeExample(const ExampleCall& call, const std::string& type, char minorVersion) {
    ValidModelBuilder builder;
    const auto inputs = addOperands(builder, call.inputs, type, OperandLifeTime::SUBGRAPH_INPUT);
    const auto outputs = addOperands(builder, call.outputs, type, OperandLifeTime::SUBGRAPH_OUTPUT);
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

/// A subgraph of one operation; constants are in operandValues from `firstByte` on.
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
    constexpr OperandType kFloat = OperandType::TENSOR_FLOAT32;
    ValidModelBuilder condition;  // goes on while counter < limit
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

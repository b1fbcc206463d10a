// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/single_operation.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/models/layer_builder.h"
#include "sim/models/model_builder.h"

namespace vnpu::sim {

namespace {

LayerBuilder layersOf(const SingleOperation& operation, Numeric numeric) {
    NetworkOptions options;
    options.zeroWeights = true;
    options.batch = operation.rows;
    return {"operation", numeric, options};
}

Network product(const SingleOperation& operation, Numeric numeric) {
    LayerBuilder net = layersOf(operation, numeric);
    return net.build(net.fullyConnected("product", net.input("input", {operation.depth}),
                                        operation.columns, LayerBuilder::Activation::NONE));
}

Network sum(const SingleOperation& operation) {
    LayerBuilder net = layersOf(operation, Numeric::kInt8);
    const Layer a = net.input("a", {operation.columns});
    const Layer b = net.input("b", {operation.columns});
    return net.build(net.add("sum", a, b, LayerBuilder::Activation::NONE));
}

Network function(const SingleOperation& operation) {
    LayerBuilder net = layersOf(operation, Numeric::kFloat32);
    const Layer input = net.input("input", {operation.columns});
    return net.build(operation.kind == OperationKind::kSoftmaxFloat ? net.softmax("y", input)
                                                                    : net.logistic("y", input));
}

OperandSpec floats(std::vector<std::uint32_t> dimensions) {
    return {.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = std::move(dimensions)};
}

Network lookup(const SingleOperation& operation) {
    ModelBuilder builder("operation");
    const auto indexes = builder.addInput(
            {.type = nn::OperandType::TENSOR_INT32, .dimensions = {operation.rows}}, "indexes");
    const auto table = builder.addZeroConstant(floats({operation.depth, operation.columns}));
    const auto output = builder.addTemporary(floats({operation.rows, operation.columns}));
    builder.addOperation(nn::OperationType::EMBEDDING_LOOKUP, {indexes, table}, output, "lookup");
    builder.markOutput(output);
    return builder.build();
}

Network recurrent(const SingleOperation& operation) {
    const std::uint32_t batch = operation.rows;
    const std::uint32_t units = operation.columns;
    ModelBuilder builder("operation");
    const auto input = builder.addInput(floats({batch, operation.depth}), "input");
    const auto weights = builder.addZeroConstant(floats({units, operation.depth}));
    const auto recurrent = builder.addZeroConstant(floats({units, units}));
    const auto bias = builder.addZeroConstant(floats({units}));
    const auto state = builder.addInput(floats({batch, units}), "state");
    const auto none = builder.addInt32(static_cast<std::int32_t>(nn10::FusedActivationFunc::NONE));
    const auto nextState = builder.addTemporary(floats({batch, units}));
    const auto output = builder.addTemporary(floats({batch, units}));
    builder.addOperation(nn::OperationType::RNN, {input, weights, recurrent, bias, state, none},
                         {nextState, output}, "rnn");
    builder.markOutput(nextState);
    builder.markOutput(output);
    return builder.build();
}

}  // namespace

Network operationNetwork(const SingleOperation& operation) {
    switch (operation.kind) {
        case OperationKind::kProduct8:
            return product(operation, Numeric::kInt8);
        case OperationKind::kProductFloat:
            return product(operation, Numeric::kFloat32);
        case OperationKind::kSum8:
            return sum(operation);
        case OperationKind::kLogisticFloat:
        case OperationKind::kSoftmaxFloat:
            return function(operation);
        case OperationKind::kLookupFloat:
            return lookup(operation);
        case OperationKind::kRnnFloat:
            return recurrent(operation);
    }
    throw InputError(fmt::format("kind of the operation is {}, expected 0 to {}",
                                 static_cast<int>(operation.kind),
                                 static_cast<int>(OperationKind::kRnnFloat)));
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/layer_parameters.h"

#include "sim/models/operand_types.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::Operation;
using android::hardware::neuralnetworks::V1_3::OperationType;
using android::hardware::neuralnetworks::V1_3::Subgraph;

void addBytes(const Subgraph& graph, const Operation& operation, LayerParameters& layer) {
    for (const auto* operands : {&operation.inputs, &operation.outputs}) {
        for (const std::uint32_t index : *operands) {
            const auto& operand = graph.operands[index];
            if (isTensor(operand.type)) {
                (isConstant(operand.lifetime) ? layer.constantBytes : layer.mapBytes) +=
                        operandBytes(operand.type, operand.dimensions);
            }
        }
    }
}

LayerParameters parametersOf(const Subgraph& graph, const Operation& operation) {
    const auto& input = graph.operands[operation.inputs[0]].dimensions;
    const auto& filter = graph.operands[operation.inputs[1]].dimensions;
    const auto& output = graph.operands[operation.outputs[0]].dimensions;
    LayerParameters layer;
    switch (operation.type) {
        case OperationType::CONV_2D:
        case OperationType::GROUPED_CONV_2D:
        case OperationType::DEPTHWISE_CONV_2D:
            layer.isDepthwise = operation.type == OperationType::DEPTHWISE_CONV_2D;
            layer.rows = output[1];
            layer.columns = output[2];
            layer.kernels = output[3];
            layer.inputRows = input[1];
            layer.channels = layer.isDepthwise ? 1 : filter[3];
            layer.groups = layer.isDepthwise ? 1 : input[3] / filter[3];
            layer.filterRows = filter[1];
            layer.filterColumns = filter[2];
            break;
        case OperationType::FULLY_CONNECTED:
            layer.rows = layer.columns = layer.inputRows = 1;
            layer.filterRows = layer.filterColumns = 1;
            layer.kernels = filter[0];
            layer.channels = filter[1];
            break;
        default:
            break;
    }
    return layer;
}

}  // namespace

std::vector<LayerParameters> layerParametersOf(const Network& network) {
    const Subgraph& graph = network.model.main;
    std::vector<LayerParameters> layers;
    for (const Operation& operation : graph.operations) {
        layers.push_back(operation.inputs.size() > 1 ? parametersOf(graph, operation)
                                                     : LayerParameters{});
        addBytes(graph, operation, layers.back());
    }
    return layers;
}

TrafficBounds trafficBoundsOf(const Network& network, const std::vector<LayerParameters>& layers) {
    TrafficBounds bounds;
    for (const LayerParameters& layer : layers) {
        bounds.leastBytes += real(layer.constantBytes);
        bounds.mostBytes += real(layer.constantBytes + layer.mapBytes);
    }
    for (const auto* tensors : {&network.inputs, &network.outputs}) {
        for (const TensorDescription& tensor : *tensors) {
            bounds.leastBytes += real(tensor.sizeBytes);
        }
    }
    return bounds;
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
// source: Vela, tflite_graph_optimiser.py
#include "sim/validate/ethosu/vela_layer.h"

#include <algorithm>
#include <optional>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::Operation;
using android::hardware::neuralnetworks::V1_3::OperationType;
using android::hardware::neuralnetworks::V1_3::Subgraph;

constexpr std::uint64_t kPairedChannels = 8;  // source: fixup_strided_conv

std::optional<VelaKind> kindOf(OperationType type) {
    switch (type) {
        case OperationType::CONV_2D:
            return VelaKind::kConvolution;
        case OperationType::DEPTHWISE_CONV_2D:
            return VelaKind::kDepthwise;
        case OperationType::FULLY_CONNECTED:
            return VelaKind::kFullyConnected;
        case OperationType::AVERAGE_POOL_2D:
            return VelaKind::kPool;
        case OperationType::ADD:
            return VelaKind::kSum;
        default:
            return std::nullopt;
    }
}

VelaExtent extentOf(const Subgraph& graph, std::uint32_t operand) {
    const auto& d = graph.operands[operand].dimensions;
    if (d.size() == 4) {
        return {d[1], d[2], d[3]};
    }
    return {1, 1, d[d.size() - 1]};
}

VelaLayer layerOf(const Subgraph& graph, const Operation& operation, VelaKind kind) {
    VelaLayer layer;
    layer.kind = kind;
    layer.input = extentOf(graph, operation.inputs[0]);
    layer.output = extentOf(graph, operation.outputs[0]);
    if (kind == VelaKind::kConvolution || kind == VelaKind::kDepthwise) {
        const VelaExtent filter = extentOf(graph, operation.inputs[1]);
        layer.filter = {filter.rows, filter.columns, 1};
    }
    if (kind == VelaKind::kFullyConnected) {
        // The input has the size of the filter, regardless of its shape.
        layer.input = {1, 1, graph.operands[operation.inputs[1]].dimensions[1]};
    }
    if (kind == VelaKind::kPool) {  // over adjacent windows
        layer.filter = {layer.input.rows / layer.output.rows,
                        layer.input.columns / layer.output.columns, 1};
    }
    // Same padding: outputs are inputs over the stride, rounded up.
    layer.rowStride = divideUp(layer.input.rows, layer.output.rows);
    layer.columnStride = divideUp(layer.input.columns, layer.output.columns);
    if (kind == VelaKind::kConvolution && layer.input.pixels() == 1 && layer.filter.pixels() == 1) {
        layer.kind = VelaKind::kFullyConnected;  // source: convert_conv_to_fc
    }
    return layer;
}

template <typename Operands>
bool holds(const Operands& operands, std::uint32_t operand) {
    return std::find(operands.begin(), operands.end(), operand) != operands.end();
}

}  // namespace

std::uint64_t VelaLayer::weightBytes() const {
    const std::uint64_t inputs = kind == VelaKind::kDepthwise ? 1 : input.channels;
    return hasWeights() ? filter.pixels() * inputs * output.channels : 0;
}

VelaLayer withPairedColumns(VelaLayer layer) {
    if (layer.kind != VelaKind::kConvolution || layer.columnStride != 2 ||
        2 * layer.input.channels > kPairedChannels || layer.input.columns % 2 != 0) {
        return layer;
    }
    const std::uint64_t covered = (layer.output.columns - 1) * 2 + layer.filter.columns;
    const std::uint64_t padding = covered > layer.input.columns ? covered - layer.input.columns : 0;
    layer.filter.columns = padding + 1;
    layer.input.columns /= 2;
    layer.input.channels *= 2;
    layer.columnStride = 1;
    return layer;
}

std::vector<VelaLayer> velaLayersOf(const Network& network) {
    const Subgraph& graph = network.model.main;
    std::vector<VelaLayer> layers;
    for (std::size_t i = 0; i < graph.operations.size(); ++i) {
        const Operation& operation = graph.operations[i];
        const std::optional<VelaKind> kind = kindOf(operation.type);
        if (!kind) {
            continue;
        }
        VelaLayer layer = layerOf(graph, operation, *kind);
        layer.operation = i;
        layer.readsImage = holds(graph.inputIndexes, operation.inputs[0]);
        layer.writesResult = holds(graph.outputIndexes, operation.outputs[0]);
        layers.push_back(layer.readsImage ? withPairedColumns(layer) : layer);
    }
    return layers;
}

}  // namespace vnpu::sim

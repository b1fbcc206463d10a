// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// A node with the first three inputs of an operation on the MAC array; float16 ones as float32.
Checked<ConvNode> readMacOperands(GraphBuilder& builder, const OperationReader& operation);

/// Refuses a bias of another number of elements than the node's output channels.
Checked<void> requireBias(const GraphBuilder& builder, const ConvNode& node);

/// The steps between the sums of a MAC operation and its output.
struct MacResult {
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

/// Sets types, zero points and output stage of a node whose tensors are set, and its scale table if
/// the filter has scales by channel.
void setArithmetic(GraphBuilder& builder, ConvNode& node, Activation activation);

/// The tensor that the array writes in place of `output`: `output` itself, or an NHWC or float32
/// tensor.
struct MacImage {
    TensorId image = kNoTensor, wide = kNoTensor, output = kNoTensor;
    bool isNchw = false;
};
MacImage openImage(GraphBuilder& builder, TensorId output, const Shape& nhwc, bool isNchw);
/// Adds the nodes that bring the written tensor into `output`.
void closeImage(GraphBuilder& builder, const OperationReader& operation, const MacImage& image);

/// Adds a node whose inputs and geometry are set, after setArithmetic, and the nodes that bring its
/// result into `output`.
void addConvolution(GraphBuilder& builder, const OperationReader& operation, ConvNode node,
                    TensorId output, const MacResult& result);

}  // namespace vnpu::driver

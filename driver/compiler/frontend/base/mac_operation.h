// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// The tensors that every operation on the MAC array reads; float16 ones as float32.
struct MacOperands {
    TensorId input = kNoTensor, filter = kNoTensor;
    TensorId bias = kNoTensor;  // kNoTensor: none
};

/// Reads the first three inputs and checks their types and the output's.
Checked<MacOperands> readMacOperands(GraphBuilder& builder, const OperationReader& operation,
                                     bool allowsChannelScales);

Checked<void> requireBias(const GraphBuilder& builder, TensorId bias, std::uint32_t channels);

/// Of a filter whose scales go by channel: one along `dimension` for each of the `channels`.
Checked<void> requireChannelScales(const Tensor& filter, std::uint32_t dimension,
                                   std::uint32_t channels);

/// What happens to the sums of a MAC operation on their way to the output.
struct MacResult {
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

/// Types, zero points, output stage and, where scales go by channel, the scale table of a node
/// whose tensors are set.
void setArithmetic(GraphBuilder& builder, ConvNode& node, Activation activation);

/// Where the array writes what is to become `output`: that itself, or an NHWC or float32 tensor.
struct MacImage {
    TensorId image = kNoTensor, wide = kNoTensor, output = kNoTensor;
    bool isNchw = false;
};
MacImage openImage(GraphBuilder& builder, TensorId output, const Shape& nhwc, bool isNchw);
/// Brings what has been written to its place.
void closeImage(GraphBuilder& builder, const OperationReader& operation, const MacImage& image);

/// Completes a node whose inputs and geometry are set by types, zero points, output stage and,
/// where scales go by channel, its scale table, and adds it with what brings its result into
/// `output`.
void addConvolution(GraphBuilder& builder, const OperationReader& operation, ConvNode node,
                    TensorId output, const MacResult& result);

}  // namespace vnpu::driver

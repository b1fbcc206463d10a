// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"

namespace vnpu::driver {

/// The shape of an element-wise operation over two tensors; kUnsupported where it does not fit an
/// index space of blocks.
Checked<Shape> broadcastBlock(const Tensor& a, const Tensor& b);

/// A dense tensor over the broadcast dimensions: its strides are 0 along those where it has one
/// element.
BlockOperand broadcastOperand(const GraphBuilder& builder, TensorId tensor, const Shape4& dims);

/// Zero point, clamp and scaling of a stage that writes `output`.
hw::OutputStage outputStage(const Tensor& output, Activation activation,
                            const QuantizedMultiplier& scaling);

/// Gives 8-bit values of `from` the scale and zero point of `to`.
hw::VecUnary requantization(const Tensor& from, const Tensor& to, Activation activation);

/// A unary node over all elements of `input`, as one row.
BlockNode makeUnary(const GraphBuilder& builder, TensorId input, TensorId output,
                    const hw::VecUnary& prototype);

/// Drops dimensions of one element and joins neighbors over which every operand has even steps, so
/// that blocks become long rows. All dimensions of the node must be divisible.
void joinDimensions(BlockNode& node);

}  // namespace vnpu::driver

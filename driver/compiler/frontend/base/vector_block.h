// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"

namespace vnpu::driver {

/// The shape of an element-wise operation over two tensors; kUnsupported where it does not fit an
/// index space of blocks.
Checked<Shape> broadcastBlock(const Tensor& a, const Tensor& b);

/// Element strides of an operand over the broadcast dimensions: 0 along those where it has one
/// element.
std::array<std::uint64_t, 4> broadcastStrides(const Shape4& operand, const Shape4& dims);

/// Zero point, clamp and scaling of a stage that writes `output`.
hw::OutputStage outputStage(const Tensor& output, Activation activation,
                            const QuantizedMultiplier& scaling);

/// A unary node over all elements of `input`, or of `rows` equal parts of it that land
/// `outputRowStride` elements apart in `output` from `outputOffset` on.
struct UnaryLayout {
    std::uint32_t rows = 1;
    std::uint64_t outputRowStride = 0;  // elements; 0: the rows lie side by side
    std::uint64_t outputOffset = 0;     // elements
};
BlockNode makeUnary(const GraphBuilder& builder, TensorId input, TensorId output,
                    const hw::VecUnary& prototype, const UnaryLayout& layout = {});

/// Drops dimensions of one element and joins neighbors over which every operand has even steps, so
/// that blocks become long rows. All dimensions of the node must be divisible.
void joinDimensions(BlockNode& node);

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"

namespace vnpu::driver {

/// The shape of an element-wise operation over two tensors; kUnsupported where it does not fit an
/// index space of blocks.
Checked<Shape> broadcastBlock(const Tensor& a, const Tensor& b);

/// Element strides of an operand over the broadcast dimensions: 0 along those where it has one
/// element.
std::array<std::uint64_t, 4> broadcastStrides(const Shape4& operand, const Shape4& dims);

/// Drops dimensions of one element and joins neighbours over which every operand walks evenly, so
/// that blocks become long rows. Of nodes whose dimensions may all be divided.
void joinDimensions(BlockNode& node);

}  // namespace vnpu::driver

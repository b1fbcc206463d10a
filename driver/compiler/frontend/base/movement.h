// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// Sets the output strides so that the axes lie dense in the output, the last one innermost.
void packOutput(CopyNode& movement);

/// Adds the nodes for all movements of an operation, none of which writes an element twice, after
/// the node that fills their output if there is one: copies by DMA for rows, a transposition on
/// tiles of the vector unit where neighboring elements are separated. Refuses, with nothing added,
/// movements that would take the DMA much longer than the DSP.
Checked<void> addMovements(GraphBuilder& builder, const OperationReader& operation,
                           std::vector<CopyNode> movements,
                           const std::optional<FillNode>& background = std::nullopt);

/// The same for one movement along at most three axes, however slow it is.
void addMovement(GraphBuilder& builder, std::uint32_t operation, CopyNode movement);

/// Zero as a stored element: the zero point where the tensor has one.
std::uint32_t zeroPattern(const Tensor& tensor);

/// Element strides of a dense tensor of any rank.
std::vector<std::uint64_t> stridesOf(std::span<const std::uint32_t> shape);

}  // namespace vnpu::driver

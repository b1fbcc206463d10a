// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

/// Bytes of the tensor in the user's files, whose elements may have another type than the operand.
std::uint64_t fileBytes(const TensorDescription& tensor);

/// The operand's bytes for the bytes of a file, which has fileBytes() of them.
std::vector<std::byte> operandFromFile(const TensorDescription& tensor,
                                       std::span<const std::byte> bytes);

/// The file's bytes for those of the operand.
std::vector<std::byte> fileFromOperand(const TensorDescription& tensor,
                                       std::span<const std::byte> bytes);

}  // namespace vnpu::sim

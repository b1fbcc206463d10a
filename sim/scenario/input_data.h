// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "sim/base/random.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// Fills `bytes` with values in a useful range of the tensor's type: any byte for the 8-bit
/// quantized types, [-1, 1) for floats, 0 to 7 for 32-bit integers (chosen: valid indices of most
/// tables), 0 or 1 for booleans.
void fillInput(const TensorDescription& tensor, std::span<std::byte> bytes, Random& random);

}  // namespace vnpu::sim

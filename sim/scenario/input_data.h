// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/random.h"
#include "sim/client/model_runner.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// Fills `bytes` with values in a useful range of the tensor's type: any byte for the 8-bit
/// quantized types, [-1, 1) for floats, 0 to 7 for 32-bit integers (chosen: valid indices of most
/// tables), 0 or 1 for booleans.
void fillInput(const TensorDescription& tensor, std::span<std::byte> bytes, Random& random);
/// The same for all inputs of a network.
void fillInputs(const Network& network, ModelRunner& runner, Random& random);

/// FNV-1a of all outputs, continuing from `hash`.
std::uint64_t hashOutputs(const Network& network, const ModelRunner& runner,
                          std::uint64_t hash = fnv1a({}));

}  // namespace vnpu::sim

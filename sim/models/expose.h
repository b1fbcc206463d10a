// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "sim/models/network.h"

namespace vnpu::sim {

/// The same network with the outputs of operations `first` to `first + count - 1` as additional
/// model outputs after its own. A device supports a limited number of outputs, so large networks
/// are examined in parts.
Network exposeOperations(const Network& network, std::size_t first, std::size_t count);

/// The index of the model output that operation `operation` writes, if any.
std::optional<std::size_t> outputOfOperation(const Network& network, std::size_t operation);

}  // namespace vnpu::sim

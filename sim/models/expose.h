// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "sim/models/network.h"

namespace vnpu::sim {

/// The same network with the outputs of operations `first` to `first + count - 1` as further model
/// outputs behind its own. A device has room for so many outputs only, so that large networks are
/// looked into part by part.
Network exposeOperations(const Network& network, std::size_t first, std::size_t count);

/// Which model output operation `operation` writes, if any.
std::optional<std::size_t> outputOfOperation(const Network& network, std::size_t operation);

}  // namespace vnpu::sim

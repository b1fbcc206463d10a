// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// What a value of an axis puts into the base scenario: dotted keys and their values. A key is
/// "scenario.KEY", "scheduling.KEY", "power.KEY", "client.NAME.KEY", or "client.*.KEY" for all
/// clients.
using Override = std::pair<std::string, const toml::node*>;

/// Applies one; `root` is a scenario's table. Empty if it went well, else what is wrong with the
/// key. Whether the value is right is for the scenario's reader to tell.
std::string applyOverride(toml::table& root, const Override& change);

}  // namespace vnpu::sim

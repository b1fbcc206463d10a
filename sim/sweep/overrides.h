// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// The changes of the base scenario for a value of an axis: dotted keys and their values. A key is
/// "scenario.KEY", the same for other tables of a scenario (overrides.cpp), "client.NAME.KEY", or
/// "client.*.KEY" for all clients.
using Override = std::pair<std::string, const toml::node*>;

/// Applies one change to `root`, the table of a scenario. Returns what is wrong with the key, or an
/// empty string. The reader of the scenario checks the value.
std::string applyOverride(toml::table& root, const Override& change);

}  // namespace vnpu::sim

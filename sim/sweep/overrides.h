// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
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

/// The text of a scenario with changes of the form "KEY=VALUE". The value is TOML; a text that is
/// none is a string, so that "client.camera.rate_hz=20" and "scheduling.policy=tokens" need no
/// quotes. Throws InputError for a wrong form or key.
std::string withSettings(std::string_view text, const std::string& file,
                         const std::vector<std::string>& settings);

/// The text of a scenario with more faults, each as the keys of a [[fault]] table in one line:
/// `kind = "engine-slow", operation = 3, factor = 1.1`. The text is that of a scenario
/// without mistakes. Throws InputError for a wrong fault.
std::string withFaults(std::string_view text, const std::string& file,
                       const std::vector<std::string>& faults);

}  // namespace vnpu::sim

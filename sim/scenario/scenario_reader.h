// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// What may differ from the file.
struct ScenarioOptions {
    std::optional<std::uint64_t> seed{};
};

/// A scenario file before it is read.
struct ScenarioText {
    std::string text;
    std::string file;  // that stands in messages
};

/// A shipped file by name ("default") or one by path. Throws InputError.
ScenarioText readScenarioText(const std::string& nameOrPath);

/// The scenario of a TOML text. `file` stands in messages, and paths in the text are relative to
/// its folder. Where the text leaves a choice, the seed makes it. Throws InputError with file, line
/// and what was expected.
Scenario parseScenario(std::string_view text, const std::string& file,
                       const ScenarioOptions& options = {});

}  // namespace vnpu::sim

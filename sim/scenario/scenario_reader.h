// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// Values that replace those of the file.
struct ScenarioOptions {
    std::optional<std::uint64_t> seed{};
};

/// The text of a scenario file.
struct ScenarioText {
    std::string text;
    std::string file;  // name in messages
};

/// The shipped file of this name ("default"), or the file at this path. Throws InputError, in whose
/// message the file is a `what`.
ScenarioText readScenarioText(const std::string& nameOrPath, const char* what = "scenario");

/// Parses a scenario. `file` is the name in messages; paths in the text are relative to its folder.
/// Choices that the text leaves open are made by the seed. Throws InputError with file, line and
/// what was expected.
Scenario parseScenario(std::string_view text, const std::string& file,
                       const ScenarioOptions& options = {});

}  // namespace vnpu::sim

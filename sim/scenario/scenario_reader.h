// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_text.h"

namespace vnpu::sim {

/// Values that replace those of the file.
struct ScenarioOptions {
    std::optional<std::uint64_t> seed{};
};

/// Parses a scenario. `file` is the name in messages; paths in the text are relative to its folder.
/// Choices that the text leaves open are made by the seed. Throws InputError with file, line and
/// what was expected.
Scenario parseScenario(std::string_view text, const std::string& file,
                       const ScenarioOptions& options = {});

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// The text of a scenario file.
struct ScenarioText {
    std::string text;
    std::string file;  // name in messages
};

/// The shipped file of this name ("default"), or the file at this path. Throws InputError, in whose
/// message the file is a `what`.
ScenarioText readScenarioText(const std::string& nameOrPath, const char* what = "scenario");

}  // namespace vnpu::sim

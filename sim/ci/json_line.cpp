// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/ci/case_files.h"

namespace vnpu::sim {

std::string jsonLine(const CaseOutcome& outcome, CaseVerdict verdict) {
    nlohmann::ordered_json json = {{"name", outcome.name.name}};
    const auto addText = [&](const char* key, const std::string& text) {
        if (!text.empty()) {
            json[key] = text;
        }
    };
    addText("suite", outcome.name.suite);
    addText("file", outcome.name.file);
    json["result"] = nameOf(verdict);
    addText("message", outcome.message);
    json["seconds"] = outcome.time.count();
    for (const auto& [name, value] : outcome.figures) {
        json["figures"][name] = value;
    }
    return jsonText(json) + "\n";
}

}  // namespace vnpu::sim

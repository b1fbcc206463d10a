// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/onnx_operators.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/text_table.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim {

namespace {

std::string fullName(const onnx::Operator& entry) {
    return *entry.domain == '\0' ? entry.name : fmt::format("{}.{}", entry.domain, entry.name);
}

}  // namespace

std::string onnxOperatorTable() {
    TextTable table({"operator"}, {"since"}, {"status", "how"});
    std::map<std::string, int> counts;
    for (const onnx::Operator& entry : onnx::allOperators()) {
        table.add(fullName(entry), entry.since, onnx::nameOf(entry.status), entry.how);
        ++counts[onnx::nameOf(entry.status)];
    }
    std::string text = table.text();
    for (const auto& [status, count] : counts) {
        text += fmt::format("{} {}\n", count, status);
    }
    return text;
}

std::string onnxOperatorJson() {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const onnx::Operator& entry : onnx::allOperators()) {
        json.push_back({{"operator", fullName(entry)},
                        {"since", entry.since},
                        {"status", onnx::nameOf(entry.status)},
                        {"how", entry.how}});
    }
    return json.dump(2) + "\n";
}

}  // namespace vnpu::sim

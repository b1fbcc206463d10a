// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operator_list.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/text_table.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim {

std::vector<ListedOperator> tfliteOperators() {
    std::vector<ListedOperator> operators;
    for (const tflite::Row* row : tflite::allRows()) {
        operators.push_back({std::string(row->name), row->code,
                             std::string(tflite::nameOf(row->status)), std::string(row->how)});
    }
    return operators;
}

std::vector<ListedOperator> onnxOperators() {
    std::vector<ListedOperator> operators;
    for (const onnx::Operator& entry : onnx::allOperators()) {
        const std::string domain = entry.domain;
        operators.push_back({domain.empty() ? entry.name : domain + "." + entry.name, entry.since,
                             onnx::nameOf(entry.status), entry.how});
    }
    return operators;
}

std::string operatorTable(const std::vector<ListedOperator>& operators, const std::string& number) {
    TextTable table({"operator"}, {number}, {"status", "how"});
    std::map<std::string, int> counts;
    for (const ListedOperator& entry : operators) {
        table.add(entry.name, entry.number, entry.status, entry.how);
        ++counts[entry.status];
    }
    std::string text = table.text();
    for (const auto& [status, count] : counts) {
        text += fmt::format("{} {}\n", count, status);
    }
    return text;
}

std::string operatorJson(const std::vector<ListedOperator>& operators, const std::string& number) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const ListedOperator& entry : operators) {
        json.push_back({{"operator", entry.name},
                        {number, entry.number},
                        {"status", entry.status},
                        {"how", entry.how}});
    }
    return json.dump(2) + "\n";
}

}  // namespace vnpu::sim

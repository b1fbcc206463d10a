// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/baseline.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/compare/quantity.h"

namespace vnpu::sim {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kFormat = 1;  // rises when a key changes its meaning

std::string lineOf(const OrderedJson& json) {
    return jsonText(json);
}

/// The figures and words that have a direction.
OrderedJson keptValues(const ResultRow& row) {
    OrderedJson values = OrderedJson::object();
    const auto keep = [&](const auto& list) {
        for (const auto& [quantity, value] : list) {
            if (quantityOf(quantity).better != Better::kNeither) {
                values[quantity] = value;
            }
        }
    };
    keep(row.figures);
    keep(row.words);
    return values;
}

}  // namespace

std::string baselineText(const ResultSet& results) {
    std::string text =
            fmt::format("{{\"vnpu_baseline\": {}, \"kind\": {}, \"subject\": {}, \"rows\": [\n",
                        kFormat, lineOf(results.kind), lineOf(results.subject));
    bool isFirst = true;
    for (const ResultRow& row : results.rows) {
        const OrderedJson values = keptValues(row);
        if (!values.empty()) {
            text += isFirst ? "" : ",\n";
            text += lineOf(OrderedJson{row.kind, row.name, values});
            isFirst = false;
        }
    }
    return text + "\n]}\n";
}

bool isInBaseline(const ResultRow& row) {
    return !keptValues(row).empty();
}

bool isBaseline(const nlohmann::json& json) {
    return json.is_object() && json.contains("vnpu_baseline");
}

ResultSet resultsOfBaseline(const nlohmann::json& json, const std::string& file) {
    if (json.at("vnpu_baseline").get<int>() != kFormat) {
        throw InputError(fmt::format("{}: vnpu_baseline is {}, expected {}: write it again", file,
                                     json.at("vnpu_baseline").dump(), kFormat));
    }
    ResultSet results(json.at("kind").get<std::string>(), json.at("subject").get<std::string>());
    for (const nlohmann::json& entry : json.at("rows")) {
        ResultRow& row =
                results.row(entry.at(0).get<std::string>(), entry.at(1).get<std::string>());
        for (const auto& [quantity, value] : entry.at(2).items()) {
            if (value.is_number()) {
                row.figures[quantity] = value.get<double>();
            } else {
                row.words[quantity] = value.get<std::string>();
            }
        }
    }
    return results;
}

}  // namespace vnpu::sim

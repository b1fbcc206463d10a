// SPDX-License-Identifier: Apache-2.0
#include "sim/results/run_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;
using Metrics = std::vector<std::pair<FigureName, double>>;

/// Keys at the top, or of a client, that columns of tables hold or that have a treatment of their
/// own.
constexpr std::string_view kOtherKeys[] = {"format", "seed",    "config", "clients", "engines",
                                           "name",   "figures", "uid",    "batch"};

void addNumbers(const Json& json, const FigureName& part, Metrics& metrics) {
    if (json.is_number()) {
        metrics.emplace_back(part, json.get<double>());
        return;
    }
    if (!json.is_structured()) {
        return;
    }
    for (const auto& [key, value] : json.items()) {
        if (std::ranges::find(kOtherKeys, key) == std::end(kOtherKeys)) {
            const std::string& above = part.quantity;
            addNumbers(
                    value,
                    {part.kind, part.name, above.empty() ? key : fmt::format("{}.{}", above, key)},
                    metrics);
        }
    }
}

}  // namespace

Metrics runMetrics(const Json& json) {
    Metrics metrics;
    addNumbers(json, {"run", "", ""}, metrics);
    for (const auto& [figure, value] : json.at("scheduling").at("figures").items()) {
        if (value.is_number()) {
            metrics.emplace_back(figureNameOf(figure), value.get<double>());
        }
    }
    for (const Json& client : json.at("clients")) {
        addNumbers(client, {"client", client.at("name").get<std::string>(), ""}, metrics);
    }
    for (const Json& engine : json.at("engines")) {
        addNumbers(engine, {"engine", engine.at("name").get<std::string>(), ""}, metrics);
    }
    return metrics;
}

}  // namespace vnpu::sim

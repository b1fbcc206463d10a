// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/base/duration.h"
#include "sim/base/error.h"
#include "sim/config/strict_toml.h"
#include "sim/scenario/client_reader.h"
#include "sim/scenario/scenario_keys.h"

namespace vnpu::sim {

namespace {

void readHead(StrictTable& table, Scenario& scenario, const std::filesystem::path& folder) {
    table.know({"name", "duration", "config", "seed", "timing_only", "judge_refusals"});
    readName(table, scenario.name);
    table.rejectSlipOf("duration");
    readDuration(table, "duration", scenario.durationNs, false);
    table.require("config", "a configuration's name or the path of a .toml file");
    table.read("config", scenario.config);
    scenario.configPlace = table.place("config");
    const bool isPath =
            scenario.config.find('/') != std::string::npos || scenario.config.ends_with(".toml");
    scenario.configSource = isPath ? resolvePath(scenario.config, folder) : scenario.config;
    table.read("seed", scenario.seed);
    table.read("timing_only", scenario.timingOnly);
    table.read("judge_refusals", scenario.judgesRefusals);
    if (scenario.judgesRefusals && !scenario.timingOnly) {
        table.fail("judge_refusals", "is true, expected false where timing_only is not true");
    }
    table.finish();
}

void readAllClients(const toml::array& tables, const ClientReading& reading, Scenario& scenario) {
    std::set<std::string> names;
    for (const toml::node& node : tables) {
        for (ClientSpec& client : readClients(*node.as_table(), reading)) {
            if (!names.insert(client.name).second) {
                const StrictTable table(*node.as_table(), reading.file, "client.");
                table.fail("name",
                           fmt::format("is \"{}\" twice, expected names that differ", client.name));
            }
            scenario.clients.push_back(std::move(client));
        }
    }
}

/// The device knows an operation by its number in a model.
void checkFaultOperations(const Scenario& scenario, const std::string& file) {
    const bool namesOperation = std::ranges::any_of(
            scenario.faults, [](const FaultPlan& plan) { return plan.spec.operation.has_value(); });
    const auto other = std::ranges::find_if(scenario.clients, [&](const ClientSpec& client) {
        return client.model != scenario.clients.front().model;
    });
    if (namesOperation && other != scenario.clients.end()) {
        throw InputError(fmt::format(
                "{}: fault.operation is a number of an operation, but the clients have different "
                "models ({} and {}), expected one model",
                file, scenario.clients.front().model, other->model));
    }
}

}  // namespace

Scenario parseScenario(std::string_view text, const std::string& file,
                       const ScenarioOptions& options) {
    const toml::table root = parseToml(text, file);
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    StrictTable top(root, file, "");
    Scenario scenario;
    const toml::table* head = top.table("scenario");
    const DeviceTables device(top);
    const toml::array* clients = top.tableArray("client");
    top.know({"sweep", "axis"});  // of a sweep file that contains this base scenario
    top.finish();
    if (head == nullptr) {
        throw InputError(fmt::format(
                "{}:1: table [scenario] is missing, expected it with name, duration and config",
                file));
    }
    StrictTable headTable(*head, file, "scenario.");
    readHead(headTable, scenario, folder);
    scenario.seed = options.seed.value_or(scenario.seed);
    static_cast<DeviceSettings&>(scenario) = device.read(file);
    if (clients == nullptr) {
        throw InputError(fmt::format("{}:1: no [[client]] table, expected at least one", file));
    }
    readAllClients(*clients, {.file = file, .folder = folder, .seed = scenario.seed}, scenario);
    if (scenario.durationNs == 0 &&
        !std::all_of(scenario.clients.begin(), scenario.clients.end(), isBounded)) {
        headTable.require("duration",
                          fmt::format("{}, or a count for every client", kDurationForm));
    }
    checkFaultOperations(scenario, file);
    return scenario;
}

}  // namespace vnpu::sim

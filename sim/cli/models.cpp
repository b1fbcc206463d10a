// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/cli/commands.h"
#include "sim/cli/operation_probes.h"
#include "sim/cli/tensor_report.h"
#include "sim/config/load_config.h"
#include "sim/models/source.h"
#include "sim/models/zoo.h"
#include "sim/platform/platform.h"
#include "sim/report/text_table.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kAppUid = 10000;  // source: Android, AID_APP_START

struct ModelsOptions {
    std::string config = "edge";
    bool operations = false;
    bool json = false;
};

/// Bytes of all constants.
std::uint64_t constantBytes(const Network& network) {
    std::uint64_t bytes = 0;
    for (const nn::Operand& operand : network.model.main.operands) {
        if (operand.lifetime == nn::OperandLifeTime::CONSTANT_COPY ||
            operand.lifetime == nn::OperandLifeTime::CONSTANT_REFERENCE) {
            bytes += operand.location.length;
        }
    }
    return bytes;
}

Json networkJson(const zoo::Entry& entry, const Network& network) {
    Json json;
    json["name"] = entry.name;
    json["description"] = entry.description;
    json["float_variant"] = entry.hasFloat;
    json["operations"] = network.model.main.operations.size();
    json["macs"] = network.macs;
    json["constant_bytes"] = constantBytes(network);
    for (const TensorDescription& input : network.inputs) {
        json["inputs"].push_back(tensorJson(input));
    }
    for (const TensorDescription& output : network.outputs) {
        json["outputs"].push_back(tensorJson(output));
    }
    return json;
}

ExitCode listNetworks(const ModelsOptions& options) {
    Json json = Json::array();
    TextTable table;
    table.addColumn("zoo:", TextTable::Align::kLeft);
    table.addColumn("operations");
    table.addColumn("MACs");
    table.addColumn("constants, bytes");
    table.addColumn("input");
    table.addColumn("float", TextTable::Align::kLeft);
    table.addColumn("architecture", TextTable::Align::kLeft);
    for (const zoo::Entry& entry : zoo::entries()) {
        const Network network =
                loadNetwork("zoo:" + std::string(entry.name), {.zeroWeights = true});
        json.push_back(networkJson(entry, network));
        table.addRow({std::string(entry.name), std::to_string(network.model.main.operations.size()),
                      withSeparators(network.macs), withSeparators(constantBytes(network)),
                      describeDimensions(network.inputs[0].dimensions),
                      entry.hasFloat ? "-float" : "", std::string(entry.description)});
    }
    if (options.json) {
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}", table.text());
    }
    return ExitCode::kDone;
}

/// What the device answers about an operation of one type: "yes", "no", or "-" where NNAPI has
/// none.
std::string askDevice(ClientContext& context, nn::OperationType operation, ProbeType type) {
    const auto probe = makeProbe(operation, type);
    if (!probe) {
        return "-";
    }
    std::string answer = "no";
    const auto done = context.device()->getSupportedOperations_1_3(
            probe->model,
            [&](nn::ErrorStatus status, const android::hardware::hidl_vec<bool>& supported) {
                if (status != nn::ErrorStatus::NONE) {
                    answer = nameOf(status);
                } else if (supported.size() == 1 && supported[0]) {
                    answer = "yes";
                }
            });
    return done.isOk() ? answer : "no";
}

using Answers = std::vector<std::vector<std::string>>;  // per operation and type

Answers askAll(const ModelsOptions& options) {
    Answers answers;
    Platform platform({.config = loadConfig(options.config)});
    platform.addClient("models", kAppUid, [&](ClientContext& context) {
        for (const nn::OperationType operation : probedOperations()) {
            answers.emplace_back();
            for (const ProbeType type : kProbeTypes) {
                answers.back().push_back(askDevice(context, operation, type));
            }
        }
    });
    platform.run();
    return answers;
}

ExitCode listOperations(const ModelsOptions& options) {
    const Answers answers = askAll(options);
    Json json = Json::array();
    TextTable table;
    table.addColumn("operation", TextTable::Align::kLeft);
    for (const ProbeType type : kProbeTypes) {
        table.addColumn(std::string(nameOf(type)), TextTable::Align::kLeft);
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const std::string name = nameOf(probedOperations()[i]);
        Json entry{{"operation", name}};
        std::vector<std::string> row = {name};
        for (std::size_t t = 0; t < answers[i].size(); ++t) {
            entry[std::string(nameOf(kProbeTypes[t]))] = answers[i][t];
            row.push_back(answers[i][t]);
        }
        json.push_back(std::move(entry));
        table.addRow(std::move(row));
    }
    if (options.json) {
        fmt::print("{}\n", json.dump(2));
        return ExitCode::kDone;
    }
    fmt::print(
            "{}\n-: not in NNAPI 1.3. Asked with small static shapes; other operations of NNAPI "
            "1.3 are not listed.\n",
            table.text());
    return ExitCode::kDone;
}

}  // namespace

void addModelsCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ModelsOptions>();
    CLI::App* command =
            app.add_subcommand("models", "List the built-in networks, or what the device takes");
    command->add_flag("--ops", options->operations,
                      "Ask the device which operations it takes in which types");
    command->add_option("--config", options->config,
                        "Configuration by name or TOML file, for --ops")
            ->capture_default_str();
    command->add_flag("--json", options->json, "Print a JSON array");
    command->callback([options, &action] {
        action = [options] {
            return options->operations ? listOperations(*options) : listNetworks(*options);
        };
    });
}

}  // namespace vnpu::sim

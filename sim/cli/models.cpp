// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/app_uid.h"
#include "sim/base/name_filter.h"
#include "sim/base/text_table.h"
#include "sim/cli/command_options.h"
#include "sim/cli/operations/cost_formula.h"
#include "sim/cli/operations/operation_report.h"
#include "sim/cli/operator_list.h"
#include "sim/cli/tensor_report.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"
#include "sim/models/zoo.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

struct ModelsOptions {
    std::string config = "edge";
    bool operations = false;
    bool tflite = false, onnx = false;
    std::string filter;
    bool json = false;
};

/// Bytes of all constants.
std::uint64_t constantBytes(const Network& network) {
    std::uint64_t bytes = 0;
    for (const nn::Operand& operand : network.model.main.operands) {
        if (isConstant(operand.lifetime)) {
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
    TextTable table({"zoo:"}, {"operations", "MACs", "constants, bytes", "input"},
                    {"float", "architecture"});
    for (const zoo::Entry& entry : zoo::entries()) {
        const Network network =
                loadNetwork("zoo:" + std::string(entry.name), {.zeroWeights = true});
        json.push_back(networkJson(entry, network));
        table.add(entry.name, network.model.main.operations.size(), withSeparators(network.macs),
                  withSeparators(constantBytes(network)),
                  describeDimensions(network.inputs[0].dimensions), entry.hasFloat ? "-float" : "",
                  entry.description);
    }
    if (options.json) {
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}", table.text());
    }
    return ExitCode::kDone;
}

/// The device as the driver reads it from its registers.
driver::DeviceInfo readDevice(const hw::NpuConfig& config) {
    driver::DeviceInfo info;
    Platform platform({.config = config});
    platform.addClient("models", kFirstAppUid, [&](ClientContext& context) {
        auto read = driver::DeviceInfo::read(context.port());
        if (!read) {
            throw std::runtime_error(read.error().reason);
        }
        info = *read;
    });
    platform.run();
    return info;
}

std::vector<OperationReport> reportOperations(const ModelsOptions& options,
                                              const hw::NpuConfig& config) {
    const NameFilter filter(options.filter, "--filter");
    const driver::DeviceInfo device = readDevice(config);
    std::vector<OperationReport> reports;
    for (const nn::OperationType operation : probedOperations()) {
        if (!filter.fits(nameOf(operation))) {
            continue;
        }
        for (const ProbeTypes& types : probeTypes(operation)) {
            reports.push_back(reportOperation(operation, types, device, config));
        }
    }
    return reports;
}

Json operationJson(const OperationReport& report) {
    Json json{{"operation", nameOf(report.operation)}};
    json["type"] = report.types.main ? Json(nameOf(*report.types.main)) : Json();
    json["other_type"] = report.types.other ? Json(nameOf(*report.types.other)) : Json();
    json["engines"] = Json::array();
    json["cost"] = Json::object();
    for (const OperationReport::Share& share : report.shares) {
        json["engines"].push_back(share.engine);
        json["cost"][share.engine] = share.formulas;
    }
    json["place"] = report.place();
    json["commands"] = report.commands;
    if (!report.refusal.empty()) {
        json["refused"] = report.refusal;
    }
    return json;
}

std::string operationTable(const std::vector<OperationReport>& reports) {
    TextTable table({"operation", "type", "engine", "runs"}, {"commands"}, {"cost formula"});
    for (const OperationReport& report : reports) {
        const bool isRefused = !report.refusal.empty();
        table.add(nameOf(report.operation), nameOf(report.types), report.engines(), report.place(),
                  report.commands, isRefused ? "refused: " + report.refusal : report.cost());
    }
    return table.text();
}

ExitCode listOperations(const ModelsOptions& options) {
    const hw::NpuConfig config = loadConfig(options.config);
    const std::vector<OperationReport> reports = reportOperations(options, config);
    if (options.json) {
        Json json = Json::array();
        for (const OperationReport& report : reports) {
            json.push_back(operationJson(report));
        }
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}\n{}", operationTable(reports), costLegend(config));
    }
    const bool isAnyRefused =
            std::any_of(reports.begin(), reports.end(),
                        [](const OperationReport& report) { return !report.refusal.empty(); });
    return isAnyRefused ? ExitCode::kFailed : ExitCode::kDone;
}

ExitCode listModels(const ModelsOptions& options) {
    const auto print = options.json ? operatorJson : operatorTable;
    if (options.onnx) {
        fmt::print("{}", print(onnxOperators(), "since"));
        return ExitCode::kDone;
    }
    if (options.tflite) {
        fmt::print("{}", print(tfliteOperators(), "code"));
        return ExitCode::kDone;
    }
    return options.operations ? listOperations(options) : listNetworks(options);
}

}  // namespace

void addModelsCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ModelsOptions>();
    CLI::App& command =
            addCommand(app, action, "models", "List the built-in networks, or all operations",
                       options, listModels);
    command.add_flag("--ops", options->operations,
                     "Report how the device runs each operation in each type");
    command.add_flag("--onnx", options->onnx,
                     "Report how each operator of .onnx files is imported");
    command.add_flag("--tflite", options->tflite,
                     "Report how each builtin operator of .tflite files is imported");
    addConfig(command, options->config, "With --ops: a shipped configuration or a TOML file");
    command.add_option("--filter", options->filter,
                       "With --ops: only operations whose name matches")
            ->type_name("REGEX");
    addJson(command, options->json, "Print a JSON array");
}

}  // namespace vnpu::sim

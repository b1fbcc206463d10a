// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/app_uid.h"
#include "sim/cli/command_options.h"
#include "sim/cli/import_report.h"
#include "sim/client/driver_log.h"
#include "sim/client/model_runner.h"
#include "sim/client/run_platform.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"

namespace vnpu::sim {

namespace {

struct CheckOptions {
    std::vector<std::string> models;
    std::string operators;
    std::string config = "edge";
    NetworkOptions modelOptions;
    bool json = false;
};

/// Prepares the model on the device; returns why the driver refuses it, or nothing.
std::string prepareOnDevice(const Network& network, const hw::NpuConfig& config) {
    std::string reason;
    DriverLog log;
    Platform platform({.config = config, .driverObserver = &log});
    platform.addClient("check", kFirstAppUid, [&](ClientContext& context) {
        try {
            ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
        } catch (const PrepareError& error) {
            reason = fmt::format("{}: {}", error.what(), log.lastLine());
        }
    });
    runPlatform(platform, log);
    return reason;
}

CheckedModel checkModel(const std::string& name, const CheckOptions& options,
                        const hw::NpuConfig& config) {
    CheckedModel model{name, {}, ""};
    try {
        model.report = examine(name, options.modelOptions);
        if (model.report.isComplete()) {
            model.error = prepareOnDevice(loadNetwork(name, options.modelOptions), config);
        }
    } catch (const std::exception& error) {
        model.error = error.what();
    }
    return model;
}

ExitCode check(const CheckOptions& options) {
    if (!options.operators.empty()) {
        fmt::print("{}", options.json ? tfliteOperatorJson() : tfliteOperatorTable());
        return ExitCode::kDone;
    }
    if (options.models.empty()) {
        throw InputError("check: there is no model, expected MODEL.tflite or --operators tflite");
    }
    const hw::NpuConfig config = loadConfig(options.config);
    std::vector<CheckedModel> models;
    for (const std::string& name : options.models) {
        models.push_back(checkModel(name, options, config));
    }
    fmt::print("{}", options.json ? checkJson(models) : checkTable(models));
    const bool allRun = std::all_of(models.begin(), models.end(),
                                    [](const CheckedModel& model) { return model.runs(); });
    return allRun ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace

void addCheckCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App& command =
            addCommand(app, action, "check", "Say which models run whole, and what the others lack",
                       options, check);
    command.add_option("models", options->models, "MODEL.tflite or zoo:NAME");
    command.add_option("--operators", options->operators,
                       "List how all operators of a file format are imported")
            ->type_name("FORMAT")
            ->check(CLI::IsMember({"tflite"}));
    addImportOptions(command, options->modelOptions);
    addConfig(command, options->config);
    addJson(command, options->json, "Print a JSON array");
}

}  // namespace vnpu::sim

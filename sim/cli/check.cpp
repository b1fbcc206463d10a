// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/app_uid.h"
#include "sim/base/progress_line.h"
#include "sim/cli/command_options.h"
#include "sim/cli/import_report.h"
#include "sim/client/driver_log.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"

namespace vnpu::sim {

namespace {

struct CheckOptions {
    std::vector<std::string> models;
    std::string config = "edge";
    NetworkOptions modelOptions;
    bool json = false;
};

/// Prepares the model on the device; returns why the driver refuses it, or nothing.
std::string prepareOn(ClientContext& context, DriverLog& log, const Network& network) {
    log.clear();
    try {
        ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
        return "";
    } catch (const PrepareError& error) {
        return fmt::format("{}: {}", error.what(), log.lastLine());
    }
}

CheckedModel checkModel(ClientContext& context, DriverLog& log, const std::string& name,
                        const NetworkOptions& options) {
    CheckedModel model{name, {}, ""};
    try {
        graph::ImportResult import = importModel(name, options);
        model.report = import.report;
        if (model.report.isComplete()) {
            model.error = prepareOn(context, log, graph::networkOf(name, std::move(import)));
        }
    } catch (const std::exception& error) {
        model.error = error.what();
    }
    return model;
}

ExitCode check(const CheckOptions& options) {
    DriverLog log;
    Platform platform({.config = loadConfig(options.config), .driverObserver = &log});
    std::vector<CheckedModel> models;
    platform.addClient("check", kFirstAppUid, [&](ClientContext& context) {
        ProgressLine line;
        for (const std::string& name : options.models) {
            line.show([&] {
                return fmt::format("{}/{} {}", models.size() + 1, options.models.size(), name);
            });
            models.push_back(checkModel(context, log, name, options.modelOptions));
        }
    });
    platform.run();
    fmt::print("{}", options.json ? checkJson(models) : checkTable(models));
    const bool allRun = std::all_of(models.begin(), models.end(),
                                    [](const CheckedModel& model) { return model.runs(); });
    return allRun ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace

void addCheckCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App& command =
            addCommand(app, action, "check", "List which models run whole, and why others do not",
                       options, check);
    command.add_option("models", options->models, "MODEL.tflite, MODEL.onnx or zoo:NAME")
            ->type_name("MODEL...")
            ->required();
    addImportOptions(command, options->modelOptions);
    addConfig(command, options->config);
    addJson(command, options->json, "Print a JSON array");
}

}  // namespace vnpu::sim

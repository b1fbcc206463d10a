// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/worker.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "sim/cli/commands.h"
#include "sim/live/live_client.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/sweep/slurm/sweep_chunk.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

namespace {

std::string answerLiveClient(const std::string& text) {
    const LiveClientRequest request = liveClientRequestFrom(text);
    Scenario scenario = parseScenario(request.scenario, request.file, {.seed = request.seed});
    resolveDeadlines(scenario, request.isolated);
    return toJson(runLiveClient(scenario, request));
}

/// Adds a command that reads a request as JSON and writes the answer. It is not listed in the help,
/// because only other commands call it.
void addHidden(CLI::App& app, Action& action, const std::string& name, const std::string& help,
               std::string (*answer)(const std::string& request)) {
    CLI::App* command = app.add_subcommand(name, help);
    command->group("");
    command->callback([answer, &action] {
        action = [answer] {
            const std::string request{std::istreambuf_iterator<char>(std::cin),
                                      std::istreambuf_iterator<char>()};
            fmt::print("{}", answer(request));
            return ExitCode::kDone;
        };
    });
}

/// A task of `vnpu sweep --slurm`.
void addChunkCommand(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("sweep-chunk", "Some points of a sweep");
    command->group("");
    const auto file = std::make_shared<std::string>();
    command->add_option("file", *file)->required();
    command->callback([file, &action] { action = [file] { return runChunk(*file); }; });
}

}  // namespace

void addWorkerCommands(CLI::App& app, Action& action) {
    addHidden(app, action, "worker", "One run of a sweep",
              [](const std::string& text) { return toJson(serve(workerRequestFrom(text))); });
    addHidden(app, action, "measure", "Measurements of models on one device",
              [](const std::string& text) { return toJson(measure(measureRequestFrom(text))); });
    addChunkCommand(app, action);
    addHidden(app, action, "live-client", "One client of a live run", answerLiveClient);
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_client.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <string>

#include "sim/cli/commands.h"
#include "sim/scenario/scenario_reader.h"

namespace vnpu::sim {

void addLiveClientCommand(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand(
            "live-client",
            "One client of a live run: reads a request as JSON and writes its results");
    command->group("");  // not listed: only vnpu run --live calls it
    command->callback([&action] {
        action = [] {
            const std::string text{std::istreambuf_iterator<char>(std::cin),
                                   std::istreambuf_iterator<char>()};
            const LiveClientRequest request = liveClientRequestFrom(text);
            Scenario scenario =
                    parseScenario(request.scenario, request.file, {.seed = request.seed});
            resolveDeadlines(scenario, request.isolated);
            fmt::print("{}", toJson(runLiveClient(scenario, request)));
            return ExitCode::kDone;
        };
    });
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/worker.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <string>

#include "sim/cli/commands.h"

namespace vnpu::sim {

void addWorkerCommand(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand(
            "worker", "One run of a sweep: reads a request as JSON, writes the answer");
    command->group("");  // for sweeps, not for people: not in the list of commands
    command->callback([&action] {
        action = [] {
            const std::string text{std::istreambuf_iterator<char>(std::cin),
                                   std::istreambuf_iterator<char>()};
            fmt::print("{}", toJson(serve(workerRequestFrom(text))));
            return ExitCode::kDone;
        };
    });
}

}  // namespace vnpu::sim

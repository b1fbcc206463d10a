// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/worker.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "sim/cli/commands.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

void addWorkerCommand(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand(
            "worker", "One run of a sweep: reads a request as JSON and writes the answer");
    const auto isMeasure = std::make_shared<bool>(false);
    command->add_flag("--measure", *isMeasure, "The request asks for measurements of models");
    command->group("");  // not listed: only other commands call it
    command->callback([isMeasure, &action] {
        action = [isMeasure] {
            const std::string text{std::istreambuf_iterator<char>(std::cin),
                                   std::istreambuf_iterator<char>()};
            fmt::print("{}", *isMeasure ? toJson(measure(measureRequestFrom(text)))
                                        : toJson(serve(workerRequestFrom(text))));
            return ExitCode::kDone;
        };
    });
}

}  // namespace vnpu::sim

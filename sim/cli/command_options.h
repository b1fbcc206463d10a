// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/bringup/bus_tools.h"
#include "sim/cli/commands.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// Adds the subcommand `name`, whose action is `run` with `options`.
template <typename Options>
CLI::App& addCommand(CLI::App& app, Action& action, const std::string& name,
                     const std::string& help, const std::shared_ptr<Options>& options,
                     ExitCode (*run)(const Options&)) {
    CLI::App* command = app.add_subcommand(name, help);
    command->callback(
            [options, run, &action] { action = [options, run] { return run(*options); }; });
    return *command;
}

// Options that several commands have.

/// MODEL.tflite or zoo:NAME, required.
void addModel(CLI::App& command, std::string& model);
/// --shape, --signature and --until, for model files.
void addImportOptions(CLI::App& command, NetworkOptions& options);
/// --config, a shipped device or a file; `help` replaces the standard help if it is not empty.
void addConfig(CLI::App& command, std::string& config, const std::string& help = "");
/// --device, the settings of a live device.
void addDevice(CLI::App& command, std::string& file);
/// --json.
void addJson(CLI::App& command, bool& isJson, const std::string& help = "Print a JSON object");
/// --quiet: neither progress nor the legend of a table.
void addQuiet(CLI::App& command, bool& isQuiet);
/// --jobs: the number of processes that run at the same time.
void addJobs(CLI::App& command, unsigned& jobs);
/// --socket of a service.
void addSocket(CLI::App& command, std::string& socket);
/// --lint, --log-accesses and --record.
void addBusTools(CLI::App& command, BusToolOptions& options);
/// --seed; `help` names what the seed selects.
void addSeed(CLI::App& command, std::uint64_t& seed, const std::string& help);
/// A number from `least` to `most`.
CLI::Option& addNumber(CLI::App& command, const std::string& name, std::uint64_t& value,
                       const std::string& help, std::uint64_t least = 1,
                       std::uint64_t most = 1'000'000'000);

}  // namespace vnpu::sim

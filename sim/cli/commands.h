// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "sim/base/error.h"

namespace vnpu::sim {

/// Each function adds one subcommand with its options and sets `action` when that subcommand was
/// chosen. The action may throw InputError (exit code 2) or any std::exception (exit code 1).
using Action = std::function<ExitCode()>;

void addCheckCommand(CLI::App& app, Action& action);
void addClientCommand(CLI::App& app, Action& action);
void addInferCommand(CLI::App& app, Action& action);
void addRunCommand(CLI::App& app, Action& action);
void addCompileCommand(CLI::App& app, Action& action);
void addCompareCommand(CLI::App& app, Action& action);
void addCompletionCommand(CLI::App& app, Action& action);
void addConformCommand(CLI::App& app, Action& action);
void addInfoCommand(CLI::App& app, Action& action);
/// Writes the pages of the manual; not listed.
void addManualCommand(CLI::App& app, Action& action);
void addModelsCommand(CLI::App& app, Action& action);
void addReplayCommand(CLI::App& app, Action& action);
void addRegsCommand(CLI::App& app, Action& action);
void addDeviceCommand(CLI::App& app, Action& action);
void addDisasmCommand(CLI::App& app, Action& action);
void addServeCommand(CLI::App& app, Action& action);
void addStressCommand(CLI::App& app, Action& action);
void addTopCommand(CLI::App& app, Action& action);
void addSweepCommand(CLI::App& app, Action& action);
void addValidateCommand(CLI::App& app, Action& action);
/// The commands of the program's own processes.
void addWorkerCommands(CLI::App& app, Action& action);

}  // namespace vnpu::sim

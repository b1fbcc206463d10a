// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>

#include "sim/cli/choice_option.h"
#include "sim/cli/command_options.h"
#include "sim/cli/help/completion_script.h"
#include "sim/config/load_config.h"

namespace vnpu::sim {

namespace {

struct CompletionArguments {
    const CLI::App* program = nullptr;
    Shell shell = Shell::kBash;
};

ExitCode printCompletion(const CompletionArguments& arguments) {
    constexpr decltype(&bashCompletion) kScripts[] = {bashCompletion, zshCompletion,
                                                      fishCompletion};
    const auto commands = completedCommands(*arguments.program, {{"--config", configNames()}});
    fmt::print("{}", kScripts[static_cast<std::size_t>(arguments.shell)](
                             arguments.program->get_name(), commands));
    return ExitCode::kDone;
}

}  // namespace

void addCompletionCommand(CLI::App& app, Action& action) {
    const auto arguments = std::make_shared<CompletionArguments>();
    arguments->program = &app;
    CLI::App& command = addCommand(app, action, "completion",
                                   "Print a script that completes commands and options in a shell",
                                   arguments, printCompletion);
    addChoice(command, "shell", arguments->shell, {Shell::kBash, Shell::kZsh, Shell::kFish},
              "The shell");
    command.footer("For the running bash: eval \"$(vnpu completion bash)\"");
}

}  // namespace vnpu::sim

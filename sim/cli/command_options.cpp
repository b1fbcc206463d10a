// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/command_options.h"

namespace vnpu::sim {

void addModel(CLI::App& command, std::string& model) {
    command.add_option("model", model, "MODEL.tflite or zoo:NAME")->required();
}

void addConfig(CLI::App& command, std::string& config, const std::string& help) {
    command.add_option("--config", config,
                       help.empty() ? "Device: a shipped configuration or a TOML file" : help)
            ->type_name("NAME|FILE")
            ->capture_default_str();
}

void addJson(CLI::App& command, bool& isJson, const std::string& help) {
    command.add_flag("--json", isJson, help);
}

void addJobs(CLI::App& command, unsigned& jobs) {
    command.add_option("--jobs", jobs, "Processes that run at the same time")
            ->capture_default_str()
            ->check(CLI::Range(1U, 1024U));
}

void addSocket(CLI::App& command, std::string& socket) {
    command.add_option("--socket", socket, "Socket of the service")->type_name("PATH");
}

void addSeed(CLI::App& command, std::uint64_t& seed, const std::string& help) {
    command.add_option("--seed", seed, help)->capture_default_str();
}

CLI::Option& addNumber(CLI::App& command, const std::string& name, std::uint64_t& value,
                       const std::string& help, std::uint64_t least, std::uint64_t most) {
    return *command.add_option(name, value, help)
                    ->type_name("N")
                    ->capture_default_str()
                    ->check(CLI::Range(least, most));
}

}  // namespace vnpu::sim

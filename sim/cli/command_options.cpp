// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/command_options.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

namespace vnpu::sim {

namespace {

/// "NAME=1x224x224x3" into `shapes`. The name may contain "=".
void readShape(const std::string& text, std::map<std::string, std::vector<std::uint32_t>>& shapes) {
    const auto fail = [&] {
        throw InputError(fmt::format("--shape {}: expected NAME=1x224x224x3", text));
    };
    const std::size_t end = text.rfind('=');
    if (end == std::string::npos || end == 0) {
        fail();
    }
    std::vector<std::uint32_t> dimensions;
    std::string_view rest = std::string_view(text).substr(end + 1);
    while (true) {
        std::uint32_t dimension = 0;
        const auto [next, error] =
                std::from_chars(rest.data(), rest.data() + rest.size(), dimension);
        if (error != std::errc() || dimension == 0) {
            fail();
        }
        dimensions.push_back(dimension);
        rest.remove_prefix(static_cast<std::size_t>(next - rest.data()));
        if (rest.empty()) {
            break;
        }
        if (rest.front() != 'x') {
            fail();
        }
        rest.remove_prefix(1);
    }
    shapes[text.substr(0, end)] = dimensions;
}

}  // namespace

void addImportOptions(CLI::App& command, NetworkOptions& options) {
    command.add_option_function<std::vector<std::string>>(
                   "--shape",
                   [&options](const std::vector<std::string>& texts) {
                       for (const std::string& text : texts) {
                           readShape(text, options.shapes);
                       }
                   },
                   "Shape of an input of a model file, in place of the file's")
            ->type_name("NAME=1x224x224x3")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--signature", options.signature,
                       "Signature of a model file to run (default: its first graph)")
            ->type_name("KEY");
    command.add_option("--until", options.until,
                       "Run the part of a model file that makes this tensor (name or number)")
            ->type_name("TENSOR");
}

void addModel(CLI::App& command, std::string& model) {
    command.add_option("model", model, "MODEL.tflite, MODEL.onnx or zoo:NAME")->required();
}

void addConfig(CLI::App& command, std::string& config, const std::string& help) {
    command.add_option("--config", config,
                       help.empty() ? "Device: a shipped configuration or a TOML file" : help)
            ->type_name("NAME|FILE")
            ->capture_default_str();
}

void addDevice(CLI::App& command, std::string& file) {
    command.add_option(
                   "--device", file,
                   "[scheduling], [power], [dram] and [[fault]] of the device: a TOML file with "
                   "these tables of a scenario, or a shipped scenario")
            ->type_name("NAME|FILE");
}

void addJson(CLI::App& command, bool& isJson, const std::string& help) {
    command.add_flag("--json", isJson, help);
}

void addQuiet(CLI::App& command, bool& isQuiet) {
    command.add_flag("-q,--quiet", isQuiet, "Leave out progress and what the columns mean");
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

void addBusTools(CLI::App& command, BusToolOptions& options) {
    command.add_flag("--lint", options.isLinting,
                     "Check how the driver uses the device; mistakes go to standard error and make "
                     "the exit code 1")
            ->envname("VNPU_LINT");
    const auto file = [&](const char* name, std::string& value, const char* help) {
        command.add_option(name, value, help)->type_name("FILE");
    };
    file("--log-accesses", options.accessLog,
         "Write every register access, transfer and interrupt as a line");
    file("--record", options.recordFile, "Record all traffic of the device for \"vnpu replay\"");
}

}  // namespace vnpu::sim

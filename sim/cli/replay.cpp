// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/replay.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "sim/bringup/register_text.h"
#include "sim/cli/command_options.h"
#include "sim/config/load_config.h"

namespace vnpu::sim {

namespace {

struct ReplayOptions {
    std::string file;
    std::string config;
};

ExitCode replayFile(const ReplayOptions& options) {
    const Recording recording = readRecording(options.file);
    hw::NpuConfig config = recording.config;
    if (!options.config.empty()) {
        config = loadConfig(options.config);
        config.timingOnly = recording.config.timingOnly;
    }
    const ReplayResult result = replay(recording, config);
    if (const auto& difference = result.difference) {
        fmt::print("first difference at {}: {}: expected {}, got {}\n", timeText(difference->time),
                   difference->what, difference->expected, difference->got);
    } else {
        fmt::print("no difference\n");
    }
    fmt::print("{} register accesses, {} transfers and {} interrupt edges were the same\n",
               result.accesses, result.transfers, result.interrupts);
    return result.difference ? ExitCode::kFailed : ExitCode::kDone;
}

}  // namespace

void addReplayCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<ReplayOptions>();
    CLI::App& command = addCommand(app, action, "replay",
                                   "Repeat a recording (--record) and show the first difference",
                                   options, replayFile);
    command.add_option("file", options->file, "The recording")->type_name("FILE")->required();
    addConfig(command, options->config, "Device in place of the recorded one");
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "sim/base/version.h"
#include "sim/cli/command_options.h"
#include "sim/cli/help/manual_page.h"
#include "sim/report/write_report.h"

namespace vnpu::sim {

namespace {

struct ManualArguments {
    const CLI::App* program = nullptr;
    std::string folder;
};

ExitCode writeManual(const ManualArguments& arguments) {
    const std::filesystem::path folder = arguments.folder;
    makeOutFolder(folder);
    const std::string version = fmt::format("{} {}", arguments.program->get_name(), kVersion);
    for (const ManualPage& page : manualPages(*arguments.program, version)) {
        writeFile(folder / (page.name + ".1"), page.roff);
    }
    return ExitCode::kDone;
}

}  // namespace

void addManualCommand(CLI::App& app, Action& action) {
    const auto arguments = std::make_shared<ManualArguments>();
    arguments->program = &app;
    CLI::App& command = addCommand(app, action, "manual", "Write the pages of the manual",
                                   arguments, writeManual);
    command.group("");  // the build calls it
    command.add_option("folder", arguments->folder, "Folder for the pages")
            ->required()
            ->type_name("DIR");
}

}  // namespace vnpu::sim

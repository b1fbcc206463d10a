// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/bus_options.h"

namespace vnpu::sim {

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

void runPlatform(Platform& platform, const DriverLog& log, BusTools& tools) {
    constexpr std::uint64_t kPicoseconds = 1000;  // per nanosecond
    const auto finish = [&] {
        tools.finish(static_cast<std::uint64_t>(platform.now().count()) * kPicoseconds);
    };
    try {
        runPlatform(platform, log);
    } catch (...) {
        finish();
        throw;
    }
    finish();
}

}  // namespace vnpu::sim

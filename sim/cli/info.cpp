// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>
#include <type_traits>

#include "hw_model/timing/config_fields.h"
#include "sim/base/text_table.h"
#include "sim/cli/command_options.h"
#include "sim/config/load_config.h"
#include "sim/report/config_json.h"
#include "sim/report/device_peaks.h"

namespace vnpu::sim {

namespace {

struct InfoOptions {
    std::string config = "edge";
    bool json = false;
};

template <typename Enum>
requires std::is_enum_v<Enum> std::string cellText(Enum value) {
    return std::string(nameOf(value));
}

template <typename Value>
requires(!std::is_enum_v<Value>) const Value& cellText(const Value& value) {
    return value;
}

/// The values that a file may give.
template <typename Value>
std::string allowedValues(const hw::ConfigField& field, const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        return fmt::format("{}", fmt::join(choicesOf(value), ", "));
    } else if constexpr (std::is_same_v<Value, bool>) {
        return "true, false";
    } else if constexpr (std::is_arithmetic_v<Value>) {
        return fmt::format("{} to {}", field.range.least, field.range.most);
    } else {
        return "any text";
    }
}

std::string configTable(const hw::NpuConfig& config) {
    TextTable table({"parameter"}, {"value"}, {"unit", "allowed"});
    visitUsedFields(config, [&](const hw::ConfigField& field, const auto& value) {
        table.add(field.path(), cellText(value), field.unit, allowedValues(field, value));
    });
    return table.text(2);
}

void printPeaks(const hw::NpuConfig& config) {
    const DevicePeaks peaks = devicePeaks(config);
    fmt::print("peaks\n");
    fmt::print("  8-bit compute  {:.4g} TOPS ({} multiply-accumulates a cycle)\n", peaks.tops,
               peaks.macsPerCycle);
    fmt::print("  float32        {:.4g} TFLOPS\n", peaks.floatTflops);
    fmt::print("  vector unit    {:.4g} G elements/s (8 bit)\n", peaks.vectorGops);
    fmt::print("  SRAM           {:g} bytes/cycle, {:.4g} GB/s over all banks\n",
               peaks.sramBytesPerCycle, peaks.sramGBps);
    fmt::print("  DRAM           {:g} bytes/cycle, {:.4g} GB/s\n", peaks.dramBytesPerCycle,
               peaks.dramGBps);
    fmt::print(
            "  balance point  {:.1f} multiply-accumulates per DRAM byte; work with fewer waits for "
            "memory\n",
            peaks.balanceMacsPerByte);
}

ExitCode showInfo(const InfoOptions& options) {
    const hw::NpuConfig config = loadConfig(options.config);
    if (options.json) {
        fmt::print("{}\n", configJson(config).dump(2));
        return ExitCode::kDone;
    }
    fmt::print("{}\n\n{}\n", describeDevice(config), configTable(config));
    printPeaks(config);
    fmt::print("\nconfigurations: {}\n", fmt::join(configNames(), ", "));
    return ExitCode::kDone;
}

}  // namespace

void addInfoCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App& command = addCommand(app, action, "info", "Print a configuration and its peak rates",
                                   options, showInfo);
    addConfig(command, options->config);
    addJson(command, options->json);
}

}  // namespace vnpu::sim

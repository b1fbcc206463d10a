// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/device_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

#include "hw_model/regs/engines.h"
#include "sim/scenario/scenario_text.h"

namespace vnpu::sim {

namespace {

/// All settings that are in force, not only those of the table.
std::string schedulingInForce(const DeviceSettings& settings, const hw::NpuConfig& config) {
    const driver::SchedulingOptions driver = driverScheduling(settings.scheduling, config.clockKhz);
    SchedulingOptions complete = settings.scheduling;
    complete.strategy = driver.strategy;
    complete.policy = driver.policy;
    complete.mechanism = driver.mechanism;
    complete.granularity = driver.granularity;
    const auto microseconds = [&](std::uint64_t cycles) {
        return static_cast<double>(cycles) * 1e3 / config.clockKhz;
    };
    if (driver.strategy == driver::Strategy::kApps) {
        complete.appSliceUs = microseconds(driver.appSliceCycles);
    }
    complete.checkpointUs = microseconds(driver.checkpointCycles);
    return describeScheduling(complete);
}

driver::OnChipOptions readOnChip(const toml::table& source, const std::string& file) {
    constexpr const char* kKey = "constants_on_chip";
    StrictTable table(source, file, "memory.");
    driver::OnChipOptions options;
    table.read(kKey, options.constantsShare);
    if (!(options.constantsShare >= 0 && options.constantsShare <= 1)) {
        table.fail(kKey, fmt::format("is {:g}, expected a share of the on-chip memory from 0 to 1",
                                     options.constantsShare));
    }
    table.finish();
    return options;
}

std::string memoryInForce(const DeviceSettings& settings, const hw::NpuConfig& config) {
    return fmt::format("{} KiB on chip between jobs, up to {:g} % of it for constants",
                       config.sram.residentKib, settings.onChip.constantsShare * 100.0);
}

std::string powerInForce(const hw::NpuConfig& config) {
    std::vector<double> levelsMhz;
    for (const std::uint32_t khz : clockLevelsKhz(config)) {
        levelsMhz.push_back(khz / 1000.0);
    }
    return fmt::format(
            "clock {:g} MHz, {}, {:g} % of the DRAM bandwidth used from outside",
            fmt::join(levelsMhz, "/"),
            config.power.autosuspendUs == 0
                    ? "never suspended"
                    : fmt::format("suspended after {} us without work", config.power.autosuspendUs),
            config.dram.background * 100.0);
}

std::string describeFault(const FaultPlan& plan) {
    const hw::FaultSpec& spec = plan.spec;
    const std::string engine =
            spec.engine ? fmt::format(" of {}", hw::engineName(*spec.engine)) : "";
    const std::string times = spec.times == 0   ? " without end"
                              : spec.times == 1 ? ""
                                                : fmt::format(" {} times", spec.times);
    return fmt::format("{}{}{} from {:g} ms on", hw::faultKindName(spec.kind), engine, times,
                       static_cast<double>(plan.atNs) * 1e-6);
}

std::string faultsInForce(const std::vector<FaultPlan>& plans) {
    std::vector<std::string> texts;
    for (const FaultPlan& plan : plans) {
        texts.push_back(describeFault(plan));
    }
    return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

DeviceTables::DeviceTables(StrictTable& top)
    : scheduling_(top.table("scheduling")), memory_(top.table("memory")), hardware_(top) {}

DeviceSettings DeviceTables::read(const std::string& file) const {
    DeviceSettings settings{hardware_.read(file)};
    if (scheduling_ != nullptr) {
        settings.scheduling = readScheduling(*scheduling_, file);
    }
    if (memory_ != nullptr) {
        settings.onChip = readOnChip(*memory_, file);
    }
    return settings;
}

DeviceSettings loadDeviceSettings(const std::string& nameOrPath) {
    if (nameOrPath.empty()) {
        return {};
    }
    const ScenarioText source = readScenarioText(nameOrPath, "device file");
    const toml::table root = parseToml(source.text, source.file);
    StrictTable top(root, source.file, "");
    const DeviceTables tables(top);
    top.know({"scenario", "client", "sweep", "axis"});
    top.finish();
    return tables.read(source.file);
}

DeviceSettingsText describeSettings(const DeviceSettings& settings, const hw::NpuConfig& config) {
    return {.scheduling = schedulingInForce(settings, config),
            .memory = memoryInForce(settings, config),
            .power = powerInForce(config),
            .faults = faultsInForce(settings.faults)};
}

}  // namespace vnpu::sim

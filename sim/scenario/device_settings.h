// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "driver/api/options.h"
#include "sim/config/hardware_settings.h"
#include "sim/config/scheduling.h"
#include "sim/config/strict_toml.h"
#include "sim/scenario/device_settings_text.h"

namespace vnpu::sim {

/// What a scenario, or the file of a live device, sets beside the device's configuration.
struct DeviceSettings : HardwareSettings {
    SchedulingOptions scheduling{};
    driver::OnChipOptions onChip{};  // [memory]

    bool isDefault() const {
        return scheduling.isDefault() && onChip.constantsShare == 0 && overrides.entries.empty() &&
               faults.empty();
    }
};

/// The tables [scheduling], [memory], [power], [dram], [sram] and [[fault]] of a file. Keeps
/// pointers into it.
class DeviceTables {
  public:
    explicit DeviceTables(StrictTable& top);

    /// Throws InputError.
    DeviceSettings read(const std::string& file) const;

  private:
    const toml::table* scheduling_;
    const toml::table* memory_;
    HardwareTables hardware_;
};

/// The settings in a shipped scenario or a TOML file, whose tables for clients are ignored; the
/// default settings for an empty name. Throws InputError.
DeviceSettings loadDeviceSettings(const std::string& nameOrPath);

/// What is in force on a device with these settings; `config` contains their overrides.
DeviceSettingsText describeSettings(const DeviceSettings& settings, const hw::NpuConfig& config);

}  // namespace vnpu::sim

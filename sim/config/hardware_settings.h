// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/config/config_overrides.h"
#include "sim/config/faults.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// What the file of a device sets beside the device's configuration and the driver's scheduling.
struct HardwareSettings {
    ConfigOverrides overrides{};  // [power], [dram] and [sram]
    std::vector<FaultPlan> faults{};
};

/// The tables [power], [dram], [sram] and [[fault]] of a file. Keeps pointers into it.
class HardwareTables {
  public:
    explicit HardwareTables(StrictTable& top);

    /// Throws InputError.
    HardwareSettings read(const std::string& file) const;

  private:
    const toml::table* power_;
    const toml::table* dram_;
    const toml::table* sram_;
    const toml::array* faults_;
};

/// The settings of a TOML file, whose other tables are ignored. Throws InputError.
HardwareSettings loadHardwareSettings(const std::string& path);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/config/hardware_settings.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "sim/base/error.h"

namespace vnpu::sim {

HardwareTables::HardwareTables(StrictTable& top)
    : power_(top.table("power")),
      dram_(top.table("dram")),
      sram_(top.table("sram")),
      faults_(top.tableArray("fault")) {}

HardwareSettings HardwareTables::read(const std::string& file) const {
    HardwareSettings settings;
    if (power_ != nullptr) {
        readConfigOverrides(*power_, "power", file, settings.overrides);
    }
    if (dram_ != nullptr) {
        readConfigOverrides(*dram_, "dram", file, settings.overrides);
    }
    if (sram_ != nullptr) {
        readConfigOverrides(*sram_, "sram", file, settings.overrides);
    }
    if (faults_ != nullptr) {
        settings.faults = readFaults(*faults_, file);
    }
    return settings;
}

HardwareSettings loadHardwareSettings(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw InputError(
                fmt::format("device file \"{}\" can't be read, expected a .toml file", path));
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const toml::table root = parseToml(text, path);
    StrictTable top(root, path, "");
    const HardwareTables tables(top);
    top.know({"scheduling", "memory", "scenario", "client", "sweep", "axis"});
    top.finish();
    return tables.read(path);
}

}  // namespace vnpu::sim

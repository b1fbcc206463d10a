// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hw_model/timing/activity.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// The consumers of energy.
enum class EnergyComponent : std::uint8_t {
    kMacArray,  // products and output stage
    kVectorUnit,
    kDsp,
    kController,
    kAccumulators,
    kSram,
    kResidentMemory,
    kInterconnect,
    kDram,
    kClock,    // the domain's clock tree while it runs
    kLeakage,  // of the domain while it is powered
    kSleep,    // remaining power while the domain is powered down
};
inline constexpr std::size_t kEnergyComponentCount = 12;

/// "mac_array"; "?" for an invalid value.
std::string_view energyComponentName(EnergyComponent component);

struct Energy {
    std::array<double, kEnergyComponentCount> picojoules{};

    double& operator[](EnergyComponent component) {
        return picojoules[static_cast<std::size_t>(component)];
    }
    double operator[](EnergyComponent component) const {
        return picojoules[static_cast<std::size_t>(component)];
    }
    double totalPicojoules() const;
};

/// An estimate: the sum of each count times its price in [energy]. Every byte on the bus pays for
/// interconnect and DRAM. A milliwatt for a nanosecond is a picojoule. The clock tree takes clockMw
/// at level 0 and the same energy per core cycle at every level, since voltage is not modeled.
/// Method: action counts times energy per action, as in Accelergy (Wu, Emer and Sze, ICCAD 2019).
Energy energyOf(const NpuConfig& config, const Activity& activity);

/// Whether the configuration has energy prices.
bool hasEnergy(const NpuConfig& config);

}  // namespace vnpu::hw

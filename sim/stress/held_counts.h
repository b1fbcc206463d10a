// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/api/driver_counters.h"

namespace vnpu::sim {

/// The amount of a resource that is held before and after a stress.
struct HeldCount {
    const char* name;
    std::uint64_t before, after;
};

/// The resources that a driver holds.
std::vector<HeldCount> heldCounts(const driver::DriverCounters& before,
                                  const driver::DriverCounters& after);

/// "rings: 2 before, 3 after".
std::string describe(const HeldCount& count);

}  // namespace vnpu::sim

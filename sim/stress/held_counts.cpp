// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/held_counts.h"

#include <fmt/format.h>

namespace vnpu::sim {

std::vector<HeldCount> heldCounts(const driver::DriverCounters& before,
                                  const driver::DriverCounters& after) {
    return {{"bytes of device memory", before.dmaBytes, after.dmaBytes},
            {"bytes on chip", before.onChipBytes, after.onChipBytes},
            {"prepared models", before.livePreparedModels, after.livePreparedModels},
            {"pool mappings", before.livePoolMappings, after.livePoolMappings},
            {"rings", before.liveRings, after.liveRings},
            {"holds of power", before.livePowerHolds, after.livePowerHolds},
            {"contexts", before.liveContexts, after.liveContexts},
            {"jobs in progress", before.jobsSubmitted - before.jobsCompleted,
             after.jobsSubmitted - after.jobsCompleted}};
}

std::string describe(const HeldCount& count) {
    return fmt::format("{}: {} before, {} after", count.name, count.before, count.after);
}

}  // namespace vnpu::sim

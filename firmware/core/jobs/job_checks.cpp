// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/job_checks.h"

#include <algorithm>
#include <numeric>

#include "firmware/core/jobs/region_table.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {
namespace {

/// No save area, or one with room for the header; each checkpoint checks the rest.
bool isSaveAreaSane(const JobSlot& slot) {
    if (slot.saveAddress == 0) {
        return slot.saveBytes == 0;
    }
    return slot.saveAddress % kSaveAlignment == 0 && slot.saveBytes >= sizeof(SaveArea) &&
           isVirtualRange(slot.saveAddress, slot.saveBytes);
}

}  // namespace

bool isSlotSane(const JobSlot& slot) {
    const std::uint64_t tableBytes = std::uint64_t{slot.regionCount} * sizeof(RegionEntry);
    return slot.jobId != 0 && slot.commandAddress % 8 == 0 && slot.commandBytes % 8 == 0 &&
           isVirtualRange(slot.commandAddress, slot.commandBytes) &&
           slot.regionTableAddress % 8 == 0 && slot.regionCount <= hw::kMaxRegions &&
           isVirtualRange(slot.regionTableAddress, tableBytes) && slot.flags == 0 &&
           slot.commandStreamVersion == hw::kCommandStreamVersion && isSaveAreaSane(slot) &&
           slot.level <= kMaxLevel && slot.clockLevel <= kMaxClockLevel &&
           std::ranges::all_of(slot.reserved, [](std::uint64_t word) { return word == 0; });
}

bool isDspStateSane(const SaveArea& area, std::uint32_t dspStateBytes) {
    return area.dspStateBytes == (area.dspCommand == kNoDspCommand ? 0 : dspStateBytes);
}

bool areTokensSane(const SaveArea& area, const JobProgress& progress) {
    const std::uint64_t sum =
            std::accumulate(std::begin(area.tokens), std::end(area.tokens), std::uint64_t{0});
    return sum <= progress.commandCount;
}

}  // namespace vnpu::fw

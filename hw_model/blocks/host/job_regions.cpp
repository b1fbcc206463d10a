// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/job_regions.h"

#include <fmt/format.h>

#include <cstring>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::hw {

bool JobRegions::find(const MemoryRef& reference, const Wanted& wanted, JobRegion& region,
                      EngineFailure& failure) const {
    const std::uint64_t table = registers_.value(regs::JobRegionTable::kSpec.offset);
    const std::uint64_t entry = table + std::uint64_t{reference.space} * sizeof(JobRegion);
    if (reference.space >= kMaxRegions || entry + sizeof(JobRegion) > localMemory_.size()) {
        failure = {JobStatus::kBadRegion, fmt::format("region {}", reference.space)};
        return false;
    }
    std::memcpy(&region, &localMemory_[entry], sizeof(region));
    const bool isReadOnly = (region.address & kRegionReadOnly) != 0;
    region.address &= ~kRegionReadOnly;
    if (wanted.begin > wanted.end || wanted.end > region.bytes) {
        failure = {JobStatus::kOutOfRegion,
                   fmt::format("0x{:x}..0x{:x} of {} bytes in region {}", wanted.begin, wanted.end,
                               region.bytes, reference.space)};
        return false;
    }
    if (wanted.isWrite && isReadOnly) {
        failure = {JobStatus::kReadOnlyRegion,
                   fmt::format("write to region {}, which may only be read", reference.space)};
        return false;
    }
    if (region.bytes > kVirtualAddressLimit ||
        region.address > kVirtualAddressLimit - region.bytes) {
        failure = {JobStatus::kBadRegion,
                   fmt::format("region {} at 0x{:x} ends outside the virtual addresses",
                               reference.space, region.address)};
        return false;
    }
    return true;
}

}  // namespace vnpu::hw

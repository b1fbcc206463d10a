// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/region_table.h"

#include <cstring>
#include <span>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/local_memory.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/operand_checks.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::fw {
namespace {

bool isRegionSane(const RegionEntry& entry) {
    return isVirtualRange(entry.address, entry.sizeBytes) &&
           (entry.flags & ~kRegionWritable) == 0 && entry.reserved == 0;
}

}  // namespace

bool isVirtualRange(std::uint64_t address, std::uint64_t sizeBytes) {
    return sizeBytes != 0 && address < hw::kVirtualAddressLimit &&
           sizeBytes <= hw::kVirtualAddressLimit - address;
}

void RegionTable::readDeviceLimits() {
    constexpr std::uint64_t kKib = 1024;
    limits_.sramBytes = kKib * regs::ConfigSram::kKib.get(readRegister<regs::ConfigSram>(port_));
    limits_.accumulatorBytes =
            kKib * regs::ConfigAccumulator::kKib.get(readRegister<regs::ConfigAccumulator>(port_));
}

hw::JobStatus RegionTable::load(const Job& job) {
    const std::uint32_t count = job.slot.regionCount;
    std::array<RegionEntry, hw::kMaxRegions> entries{};
    const auto bytes = std::as_writable_bytes(std::span(entries).first(count));
    VNPU_TRY(port_.readMemory(job.context, job.slot.regionTableAddress, bytes));
    std::byte* table = port_.localMemory().data() + kRegionTableOffset;
    std::memset(table, 0, kRegionTableBytes);
    for (std::uint32_t i = 0; i < count; ++i) {
        port_.charge(kRegionCycles);
        const RegionEntry& entry = entries[i];
        if (!isRegionSane(entry)) {
            return hw::JobStatus::kBadJob;
        }
        const bool isWritable = (entry.flags & kRegionWritable) != 0;
        const LocalRegion local{entry.address | (isWritable ? 0 : hw::kRegionReadOnly),
                                entry.sizeBytes};
        std::memcpy(table + i * sizeof(local), &local, sizeof(local));
        addresses_[i] = entry.address;
        bytes_[i] = entry.sizeBytes;
        isWritable_[i] = isWritable ? 1 : 0;
    }
    limits_.sramBlocks = job.sramBlocks();
    limits_.regionBytes = std::span(bytes_).first(count);
    limits_.regionWritable = std::span(isWritable_).first(count);
    return hw::JobStatus::kOk;
}

}  // namespace vnpu::fw

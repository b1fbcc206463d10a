// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/memory_budget.h"

#include <fmt/format.h>

#include "driver/control/boot.h"
#include "driver/control/dma_memory.h"
#include "driver/control/job_ring.h"
#include "driver/memory/virtual_allocator.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

namespace {

/// The tables that lead to a range at the lowest addresses.
constexpr std::uint64_t tableBytes(std::uint64_t mappedBytes) {
    const std::uint64_t endAddress = VirtualAllocator::kLowestAddress + mappedBytes;
    std::uint64_t tables = 0;
    std::uint64_t spanBytes = hw::kPageBytes * hw::kTableEntries;  // of a table
    for (std::uint32_t level = 0; level < hw::kTableLevels; ++level) {
        tables += hw::divideUp(endAddress, spanBytes);
        spanBytes *= hw::kTableEntries;
    }
    return tables * hw::kPageBytes;
}

}  // namespace

MemoryBudget MemoryBudget::of(const DeviceInfo& info) {
    const std::uint64_t ownBytes = BootMemory::sizeBytes();
    return MemoryBudget(info.memoryBytes > ownBytes ? info.memoryBytes - ownBytes : 0);
}

Result<void> MemoryBudget::check(std::uint64_t takenBytes, std::uint64_t mappedBytes) const {
    if (mappedBytes >= hw::kVirtualAddressLimit - VirtualAllocator::kLowestAddress) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("{} bytes are to be mapped, a context has {} bytes of addresses",
                                mappedBytes, hw::kVirtualAddressLimit));
    }
    const std::uint64_t ownBytes =
            tableBytes(mappedBytes) +
            hw::roundUp(fw::ringBytes(JobRing::kSlots, JobRing::kCompletions), hw::kPageBytes);
    if (takenBytes > bytes_ || ownBytes > bytes_ - takenBytes) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("{} bytes of device memory and {} for a ring and page tables are "
                                "needed, an idle device has {}",
                                takenBytes, ownBytes, bytes_));
    }
    return {};
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/virtual_allocator.h"

#include <iterator>

#include "hw_model/regs/check.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

namespace {

constexpr std::uint64_t kGuardBytes = hw::kPageBytes;

}  // namespace

VirtualAllocator::VirtualAllocator() {
    free_[kLowestAddress] = hw::kVirtualAddressLimit - kLowestAddress;
}

std::optional<std::uint64_t> VirtualAllocator::allocate(std::uint64_t sizeBytes,
                                                        std::uint64_t alignBytes,
                                                        std::uint64_t skewBytes) {
    VNPU_CHECK(sizeBytes > 0 && sizeBytes % hw::kPageBytes == 0, "ranges are whole pages");
    VNPU_CHECK((alignBytes & (alignBytes - 1)) == 0 && skewBytes < alignBytes,
               "skew below a power of two");
    if (sizeBytes >= hw::kVirtualAddressLimit) {
        return std::nullopt;
    }
    for (const auto& [start, bytes] : free_) {
        const std::uint64_t address = start + ((skewBytes - start) & (alignBytes - 1));
        const std::uint64_t end = address + sizeBytes + kGuardBytes;
        if (end > start + bytes) {
            continue;
        }
        const std::uint64_t holeStart = start;
        const std::uint64_t holeEnd = start + bytes;
        free_.erase(holeStart);
        if (address > holeStart) {
            free_[holeStart] = address - holeStart;
        }
        if (end < holeEnd) {
            free_[end] = holeEnd - end;
        }
        used_[address] = sizeBytes;
        return address;
    }
    return std::nullopt;
}

void VirtualAllocator::free(std::uint64_t address) {
    const auto found = used_.find(address);
    VNPU_CHECK(found != used_.end(), "only ranges that were handed out come back");
    std::uint64_t sizeBytes = found->second + kGuardBytes;
    used_.erase(found);
    auto next = free_.lower_bound(address);
    if (next != free_.end() && address + sizeBytes == next->first) {
        sizeBytes += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + previous->second == address) {
            previous->second += sizeBytes;
            return;
        }
    }
    free_[address] = sizeBytes;
}

std::uint64_t VirtualAllocator::sizeOf(std::uint64_t address) const {
    const auto found = used_.find(address);
    return found == used_.end() ? 0 : found->second;
}

}  // namespace vnpu::driver

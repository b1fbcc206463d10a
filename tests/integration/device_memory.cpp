// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/device_memory.h"

#include <doctest/doctest.h>

#include <cstring>

#include "hw_model/regs/page_table.h"
#include "sim/platform/bus_memory.h"

namespace vnpu::test {

DeviceMemory::DeviceMemory(driver::DevicePort& port, std::uint64_t sizeBytes)
    : base_(nullptr), sizeBytes_(sizeBytes) {
    const auto page = port.allocateDma(hw::kPageBytes);
    REQUIRE(page);
    base_ = page->host - (page->busAddress - sim::BusMemory::kDramBase);
    port.freeDma(*page);
}

std::span<std::byte> DeviceMemory::find(std::span<const std::byte> bytes) const {
    std::byte* found = nullptr;
    for (std::uint64_t offset = 0; offset + bytes.size() <= sizeBytes_; offset += 8) {
        if (std::memcmp(base_ + offset, bytes.data(), bytes.size()) == 0) {
            REQUIRE(found == nullptr);
            found = base_ + offset;
        }
    }
    REQUIRE(found != nullptr);
    return {found, bytes.size()};
}

std::vector<std::uint64_t*> DeviceMemory::clientPages() const {
    return pagesInto(sim::BusMemory::kClientBase, sim::BusMemory::kClientLimit);
}

std::vector<std::uint64_t*> DeviceMemory::pagesInto(std::uint64_t first, std::uint64_t end) const {
    std::vector<std::uint64_t*> entries;
    for (std::uint64_t offset = 0; offset < sizeBytes_; offset += sizeof(std::uint64_t)) {
        auto* entry = reinterpret_cast<std::uint64_t*>(base_ + offset);
        const std::uint64_t address = hw::PageTableEntry::address(*entry);
        const bool isInside = address >= first && address < end;
        const std::uint64_t flags = *entry & ~hw::PageTableEntry::kAddressMask;
        const std::uint64_t known = hw::PageTableEntry::kValid | hw::PageTableEntry::kWritable |
                                    hw::PageTableEntry::kLarge;
        if (isInside && (flags & hw::PageTableEntry::kValid) != 0 && (flags & ~known) == 0) {
            entries.push_back(entry);
        }
    }
    return entries;
}

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/device_memory.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "driver/port/device_info.h"
#include "hw_model/regs/page_table.h"
#include "sim/platform/bus_memory.h"

namespace vnpu::test {

namespace {

/// The runs of pages that the host has given memory to. The others are zero.
std::vector<std::span<std::byte>> usedPages(std::span<std::byte> dram) {
    std::vector<unsigned char> isUsed(dram.size() / hw::kPageBytes);
    REQUIRE(::mincore(dram.data(), dram.size(), isUsed.data()) == 0);
    std::vector<std::span<std::byte>> runs;
    for (std::size_t page = 0; page < isUsed.size(); ++page) {
        if ((isUsed[page] & 1) == 0) {
            continue;
        }
        std::size_t end = page + 1;
        while (end < isUsed.size() && (isUsed[end] & 1) != 0) {
            ++end;
        }
        runs.push_back(dram.subspan(page * hw::kPageBytes, (end - page) * hw::kPageBytes));
        page = end;
    }
    return runs;
}

}  // namespace

DeviceMemory::DeviceMemory(driver::DevicePort& port) {
    const auto info = driver::DeviceInfo::read(port);
    const auto page = port.allocateDma(hw::kPageBytes);
    REQUIRE((info && page));
    std::byte* const begin = page->host - (page->busAddress - sim::BusMemory::kDramBase);
    port.freeDma(*page);
    used_ = usedPages({begin, info->memoryBytes});
}

std::span<std::byte> DeviceMemory::find(std::span<const std::byte> bytes) const {
    std::byte* found = nullptr;
    for (const std::span<std::byte> run : used_) {
        for (std::size_t offset = 0; offset + bytes.size() <= run.size(); offset += 8) {
            if (std::memcmp(run.data() + offset, bytes.data(), bytes.size()) == 0) {
                REQUIRE(found == nullptr);
                found = run.data() + offset;
            }
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
    for (const std::span<std::byte> run : used_) {
        for (std::size_t offset = 0; offset < run.size(); offset += sizeof(std::uint64_t)) {
            auto* entry = reinterpret_cast<std::uint64_t*>(run.data() + offset);
            const std::uint64_t address = hw::PageTableEntry::address(*entry);
            const bool isInside = address >= first && address < end;
            const std::uint64_t flags = *entry & ~hw::PageTableEntry::kAddressMask;
            const std::uint64_t known = hw::PageTableEntry::kValid | hw::PageTableEntry::kWritable |
                                        hw::PageTableEntry::kLarge;
            if (isInside && (flags & hw::PageTableEntry::kValid) != 0 && (flags & ~known) == 0) {
                entries.push_back(entry);
            }
        }
    }
    std::sort(entries.begin(), entries.end(), [](const std::uint64_t* a, const std::uint64_t* b) {
        return hw::PageTableEntry::address(*a) < hw::PageTableEntry::address(*b);
    });
    return entries;
}

}  // namespace vnpu::test

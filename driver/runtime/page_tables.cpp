// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/page_tables.h"

#include <atomic>
#include <utility>

#include "hw_model/regs/check.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

using hw::PageTableEntry;

Result<std::unique_ptr<PageTables>> PageTables::create(DevicePort& port, LiveCounters& counters) {
    auto root = DmaAllocation::create(port, counters, hw::kPageBytes);
    if (!root) {
        return tl::unexpected(std::move(root.error()));
    }
    return std::unique_ptr<PageTables>(new PageTables(port, counters, std::move(*root)));
}

PageTables::PageTables(DevicePort& port, LiveCounters& counters, DmaAllocation root)
    : port_(port), counters_(counters), root_(std::move(root)) {}

std::uint64_t PageTables::rootBusAddress() const {
    return root_.memory.busAddress();
}

void PageTables::store(const Table& table, std::uint32_t index, std::uint64_t entry) {
    auto* entries = reinterpret_cast<std::uint64_t*>(table.memory.bytes().data());
    std::atomic_ref(entries[index]).store(entry, std::memory_order_release);
}

Result<PageTables::Table*> PageTables::lastLevel(std::uint64_t virtualAddress) {
    Table* table = &root_;
    for (std::uint32_t level = 0; level + 1 < hw::kTableLevels; ++level) {
        const std::uint32_t index = hw::tableIndex(virtualAddress, level);
        auto found = table->children.find(index);
        if (found == table->children.end()) {
            auto memory = DmaAllocation::create(port_, counters_, hw::kPageBytes);
            if (!memory) {
                return tl::unexpected(std::move(memory.error()));
            }
            const std::uint64_t entry = PageTableEntry::table(memory->busAddress());
            found = table->children.emplace(index, std::make_unique<Table>(std::move(*memory)))
                            .first;
            store(*table, index, entry);
        }
        table = found->second.get();
    }
    return table;
}

PageTables::Table* PageTables::findLastLevel(std::uint64_t virtualAddress) {
    Table* table = &root_;
    for (std::uint32_t level = 0; level + 1 < hw::kTableLevels && table != nullptr; ++level) {
        const auto found = table->children.find(hw::tableIndex(virtualAddress, level));
        table = found == table->children.end() ? nullptr : found->second.get();
    }
    return table;
}

Result<void> PageTables::map(std::uint64_t virtualAddress, std::uint64_t busAddress,
                             std::uint64_t sizeBytes, bool isWritable) {
    VNPU_CHECK((virtualAddress | busAddress | sizeBytes) % hw::kPageBytes == 0,
               "only whole pages are mapped");
    VNPU_CHECK(virtualAddress + sizeBytes <= hw::kVirtualAddressLimit,
               "the allocator stays within the address space");
    constexpr std::uint64_t kTableSpan = hw::kPageBytes * hw::kTableEntries;
    for (std::uint64_t at = virtualAddress; at < virtualAddress + sizeBytes;
         at = roundUp(at + 1, kTableSpan)) {
        VNPU_TRY(lastLevel(at));  // all tables first: from here on nothing can fail
    }
    std::uint64_t done = 0;
    while (done < sizeBytes) {
        const std::uint64_t address = virtualAddress + done;
        const bool isLarge = (address | (busAddress + done)) % hw::kLargePageBytes == 0 &&
                             sizeBytes - done >= hw::kLargePageBytes;
        const std::uint64_t chunk = isLarge ? hw::kLargePageBytes : hw::kPageBytes;
        const Table* table =
                findLastLevel(address);  // 64 KiB never straddle a table: they are aligned
        for (std::uint64_t page = 0; page < chunk; page += hw::kPageBytes) {
            store(*table, hw::tableIndex(address + page, hw::kTableLevels - 1),
                  PageTableEntry::page(busAddress + done + page, isWritable, isLarge));
        }
        done += chunk;
    }
    return {};
}

void PageTables::unmap(std::uint64_t virtualAddress, std::uint64_t sizeBytes) {
    for (std::uint64_t at = virtualAddress; at < virtualAddress + sizeBytes; at += hw::kPageBytes) {
        if (const Table* table = findLastLevel(at); table != nullptr) {
            store(*table, hw::tableIndex(at, hw::kTableLevels - 1), 0);
        }
    }
}

}  // namespace vnpu::driver

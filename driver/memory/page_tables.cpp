// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/page_tables.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "hw_model/regs/check.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

using hw::PageTableEntry;

Result<std::unique_ptr<PageTables>> PageTables::create(DevicePort& port, LiveCounters& counters) {
    VNPU_TRY_ASSIGN(auto root, DmaAllocation::create(port, counters, hw::kPageBytes));
    return std::unique_ptr<PageTables>(new PageTables(port, counters, std::move(root)));
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
            VNPU_TRY_ASSIGN(auto memory, DmaAllocation::create(port_, counters_, hw::kPageBytes));
            const std::uint64_t entry = PageTableEntry::table(memory.busAddress());
            found = table->children.emplace(index, std::make_unique<Table>(std::move(memory)))
                            .first;
            store(*table, index, entry);
        }
        table = found->second.get();
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
         at = hw::roundUp(at + 1, kTableSpan)) {
        VNPU_TRY(lastLevel(at));  // all tables first, so that nothing can fail below
    }
    std::uint64_t done = 0;
    while (done < sizeBytes) {
        const std::uint64_t address = virtualAddress + done;
        const bool isLarge = (address | (busAddress + done)) % hw::kLargePageBytes == 0 &&
                             sizeBytes - done >= hw::kLargePageBytes;
        const std::uint64_t chunk = isLarge ? hw::kLargePageBytes : hw::kPageBytes;
        // 64 KiB never straddle a table, as they are aligned.
        VNPU_TRY_ASSIGN(const Table* table, lastLevel(address));
        for (std::uint64_t page = 0; page < chunk; page += hw::kPageBytes) {
            store(*table, hw::tableIndex(address + page, hw::kTableLevels - 1),
                  PageTableEntry::page(busAddress + done + page, isWritable, isLarge));
        }
        done += chunk;
    }
    return {};
}

std::vector<DmaAllocation> PageTables::unmap(std::uint64_t virtualAddress,
                                             std::uint64_t sizeBytes) {
    std::vector<DmaAllocation> emptied;
    clear(root_, 0, {virtualAddress, virtualAddress + sizeBytes}, emptied);
    return emptied;
}

bool PageTables::isEmpty(const Table& table) {
    const auto* entries = reinterpret_cast<const std::uint64_t*>(table.memory.bytes().data());
    return table.children.empty() && std::all_of(entries, entries + hw::kTableEntries,
                                                 [](std::uint64_t entry) { return entry == 0; });
}

void PageTables::clear(Table& table, std::uint32_t level, AddressRange range,
                       std::vector<DmaAllocation>& emptied) {
    const std::uint32_t levelsBelow = hw::kTableLevels - 1 - level;
    const std::uint64_t span = hw::kPageBytes
                               << (levelsBelow * hw::kTableIndexBits);  // of an entry
    for (std::uint64_t at = range.begin; at < range.end; at = hw::roundUp(at + 1, span)) {
        const std::uint32_t index = hw::tableIndex(at, level);
        if (levelsBelow == 0) {
            store(table, index, 0);
            continue;
        }
        const auto child = table.children.find(index);
        if (child == table.children.end()) {
            continue;
        }
        clear(*child->second, level + 1, {at, std::min(range.end, hw::roundUp(at + 1, span))},
              emptied);
        if (isEmpty(*child->second)) {
            store(table, index, 0);
            emptied.push_back(std::move(child->second->memory));
            table.children.erase(child);
        }
    }
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/mmu.h"

#include <bit>

#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::hw {

static_assert(std::endian::native == std::endian::little,
              "page table entries are read as little endian");

Mmu::Mmu(const MmuConfig& config, const DeviceClock& clock, SystemMemory& memory,
         PerfCounters& counters, DeviceObserver* observer, FaultInjector* faults)
    : config_(config),
      clock_(clock),
      memory_(memory),
      counters_(counters),
      observer_(observer),
      faults_(faults),
      tlb_(config.tlbEntries) {}

Mmu::Result Mmu::translate(std::uint32_t context, std::uint64_t virtualAddress, bool isWrite,
                           Engine engine) {
    if (faults_ != nullptr && faults_->failsTranslation(clock_.now(), engine)) {
        return {.status = JobStatus::kMmuFault};
    }
    if (virtualAddress < kVirtualAddressLimit) {
        if (const Tlb::Entry* const entry = tlb_.find(context, virtualAddress)) {
            counters_.add(regs::PerfEvent::kTlbHits, 1);
            if (staleSink_ && isStale(*entry, context, virtualAddress)) {
                staleSink_(context, virtualAddress);
            }
            const std::uint64_t pageBytes = entry->isLarge ? kLargePageBytes : kPageBytes;
            const std::uint64_t offset = virtualAddress & (pageBytes - 1);
            if (isWrite && !entry->isWritable) {
                return {JobStatus::kMmuFault, true, 0, 0, 0, 0};
            }
            return {JobStatus::kOk, false, 0, entry->busBase + offset, offset, pageBytes - offset};
        }
    }
    counters_.add(regs::PerfEvent::kTlbMisses, 1);
    if (observer_ != nullptr) {
        observer_->onMmuMiss(clock_.now(), engine, virtualAddress);
    }
    return walk(context, virtualAddress, isWrite);
}

Mmu::Result Mmu::walk(std::uint32_t context, std::uint64_t virtualAddress, bool isWrite) {
    Result result{.status = JobStatus::kMmuFault};
    if (context >= regs::kContextCount || roots_[context] == 0 ||
        virtualAddress >= kVirtualAddressLimit) {
        return result;
    }
    std::uint64_t table = roots_[context];
    std::uint64_t entry = 0;
    for (std::uint32_t level = 0; level < kTableLevels; ++level) {
        result.walkCycles = static_cast<std::uint32_t>(
                clock_.ofCore((level + std::uint64_t{1}) * config_.walkLevelCycles));
        const std::uint64_t address = table + tableIndex(virtualAddress, level) * sizeof(entry);
        readTable(address, result);
        if (!memory_.read(address, &entry, sizeof(entry))) {
            result.status = JobStatus::kBusError;
            return result;
        }
        if ((entry & PageTableEntry::kValid) == 0) {
            return result;
        }
        table = PageTableEntry::address(entry);
    }
    const bool isLarge = (entry & PageTableEntry::kLarge) != 0;
    const bool isWritable = (entry & PageTableEntry::kWritable) != 0;
    const std::uint64_t pageBytes = isLarge ? kLargePageBytes : kPageBytes;
    // Each of the sixteen entries of a large page holds the address of its own 4 KiB.
    const std::uint64_t pageBase =
            isLarge ? table - (virtualAddress & (kLargePageBytes - kPageBytes)) : table;
    tlb_.insert(context, virtualAddress, pageBase, isWritable, isLarge);
    if (isWrite && !isWritable) {
        result.isPermission = true;
        return result;
    }
    const std::uint64_t offset = virtualAddress & (pageBytes - 1);
    result.status = JobStatus::kOk;
    result.busAddress = pageBase + offset;
    result.pageOffset = offset;
    result.pageBytesLeft = pageBytes - offset;
    return result;
}

/// Adds the entry to the walk's reads from DRAM unless the cache holds its line.
void Mmu::readTable(std::uint64_t address, Result& result) {
    if (walkCache_ && !walkCache_->take(address)) {
        result.tableReads[result.tableReadCount++] = address;
        counters_.add(regs::PerfEvent::kPageTableReads, 1);
    }
}

void Mmu::dropTables() {
    tlb_.dropAll();
    if (walkCache_) {
        walkCache_->dropAll();
    }
}

/// Tables that cannot be read without an effect count as unchanged.
bool Mmu::isStale(const Tlb::Entry& entry, std::uint32_t context, std::uint64_t virtualAddress) {
    std::uint64_t table = roots_[context];
    std::uint64_t word = 0;
    for (std::uint32_t level = 0; level < kTableLevels; ++level) {
        if (!memory_.peek(table + tableIndex(virtualAddress, level) * sizeof(word), &word,
                          sizeof(word))) {
            return false;
        }
        if ((word & PageTableEntry::kValid) == 0) {
            return true;
        }
        table = PageTableEntry::address(word);
    }
    const std::uint64_t offsetInLarge = virtualAddress & (kLargePageBytes - kPageBytes);
    return table != entry.busBase + (entry.isLarge ? offsetInLarge : 0) ||
           ((word & PageTableEntry::kWritable) != 0) != entry.isWritable;
}

bool Mmu::recordFault(const Fault& fault) {
    using Info = regs::MmuFaultInfo;
    if (Info::kValid.get(faultInfo_) != 0) {
        return false;
    }
    faultInfo_ = Info::kValid.put(1) | Info::kWrite.put(fault.isWrite ? 1 : 0) |
                 Info::kPermission.put(fault.isPermission ? 1 : 0) |
                 Info::kContext.put(fault.context) |
                 Info::kEngine.put(static_cast<std::uint32_t>(fault.engine));
    faultAddress_ = fault.virtualAddress;
    return true;
}

void Mmu::writeInvalidate(std::uint32_t value) {
    using Invalidate = regs::MmuInvalidate;
    if (Invalidate::kAll.get(value) != 0) {
        dropTables();
        return;
    }
    tlb_.drop(Invalidate::kContext.get(value));
    if (walkCache_) {
        walkCache_->dropAll();  // it does not know which context's tables a line belongs to
    }
}

void Mmu::setRoot(std::uint32_t context, bool isHigh, std::uint32_t word) {
    const unsigned shift = isHigh ? 32 : 0;
    std::uint64_t& root = roots_[context];
    root = (root & ~(0xFFFFFFFFULL << shift)) | (std::uint64_t{word} << shift);
}

std::uint32_t Mmu::rootWord(std::uint32_t context, bool isHigh) const {
    return static_cast<std::uint32_t>(roots_[context] >> (isHigh ? 32 : 0));
}

void Mmu::powerDown() {
    roots_.fill(0);
    dropTables();
}

void Mmu::reset() {
    roots_.fill(0);
    dropTables();
    faultInfo_ = 0;
    faultAddress_ = 0;
}

}  // namespace vnpu::hw

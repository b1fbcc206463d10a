// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/memory/system_memory.h"
#include "hw_model/blocks/memory/tlb.h"
#include "hw_model/blocks/memory/walk_cache.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

class FaultInjector;

/// Translates the device's virtual addresses by three-level page tables in system memory
/// (regs/page_table.h), one root per context, with one TLB shared by all engines. A miss costs
/// walkLevelCycles for each level that was read. A fault is recorded in MMU_FAULT_* unless an older
/// record still waits to be released. If the DRAM is modeled bank by bank, the walker's cache is,
/// too, and the result lists the lines that it had to read; the engines let these reads compete
/// with transfers. Otherwise all reads hit. Not modeled: several walkers. Simulation thread.
class Mmu {
  public:
    struct Result {
        JobStatus status =
                JobStatus::kOk;     // kOk, kMmuFault, or kBusError if a table itself cannot be read
        bool isPermission = false;  // of a fault: the page is mapped, but not writable
        std::uint32_t walkCycles = 0;  // 0 on a TLB hit
        std::uint64_t busAddress = 0;
        std::uint64_t pageOffset = 0;     // of the address in its page
        std::uint64_t pageBytesLeft = 0;  // from the address to the end of its page
        // Bus addresses of page table entries that the walk reads from DRAM, each after the one
        // before.
        std::array<std::uint64_t, kTableLevels> tableReads{};
        std::uint8_t tableReadCount = 0;
    };

    struct Fault {
        std::uint64_t virtualAddress = 0;
        std::uint32_t context = 0;
        Engine engine = Engine::kController;
        bool isWrite = false;
        bool isPermission = false;
    };

    Mmu(const MmuConfig& config, const DeviceClock& clock, SystemMemory& memory,
        PerfCounters& counters, DeviceObserver* observer, FaultInjector* faults = nullptr);

    /// From now on walks read from DRAM what a cache of walkCacheLines lines does not hold.
    void cacheTables(std::uint64_t lineBytes) {
        walkCache_.emplace(config_.walkCacheLines, lineBytes);
    }

    Result translate(std::uint32_t context, std::uint64_t virtualAddress, bool isWrite,
                     Engine engine);

    /// Receives translations of the TLB that the page tables no longer contain.
    using StaleSink = std::function<void(std::uint32_t context, std::uint64_t virtualAddress)>;
    /// From now on each TLB hit is compared with the page tables, which takes no simulated time.
    void checkTranslations(StaleSink sink) { staleSink_ = std::move(sink); }

    /// Stores the fault if the record is free; returns whether it did.
    bool recordFault(const Fault& fault);

    std::uint32_t faultInfo() const { return faultInfo_; }
    std::uint64_t faultAddress() const { return faultAddress_; }
    void releaseFault() { faultInfo_ = 0; }

    /// Handles MMU_INVALIDATE.
    void writeInvalidate(std::uint32_t value);

    void setRoot(std::uint32_t context, bool isHigh, std::uint32_t word);
    std::uint32_t rootWord(std::uint32_t context, bool isHigh) const;

    /// Drops roots and translations.
    void powerDown();

    /// Drops roots, translations and the fault record.
    void reset();

  private:
    Result walk(std::uint32_t context, std::uint64_t virtualAddress, bool isWrite);
    void readTable(std::uint64_t address, Result& result);
    void dropTables();
    bool isStale(const Tlb::Entry& entry, std::uint32_t context, std::uint64_t virtualAddress);

    MmuConfig config_;
    const DeviceClock& clock_;
    SystemMemory& memory_;
    PerfCounters& counters_;
    DeviceObserver* observer_;
    FaultInjector* faults_;
    StaleSink staleSink_;  // empty: translations are not checked
    Tlb tlb_;
    std::optional<WalkCache> walkCache_;
    std::array<std::uint64_t, regs::kContextCount> roots_{};
    std::uint32_t faultInfo_ = 0;
    std::uint64_t faultAddress_ = 0;
};

}  // namespace vnpu::hw

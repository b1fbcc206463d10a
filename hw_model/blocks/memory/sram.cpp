// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/sram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "hw_model/regs/check.h"
#include "hw_model/regs/sram_blocks.h"

namespace vnpu::hw {

namespace {

constexpr std::uint64_t kWhole = 1ULL << 16;  // a whole port

// Never zero, and different for consecutive commands, so that two corruptions in a row do not
// restore the data.
std::byte spoilMask(const Sram::Operation& operation) {
    const std::uint32_t value =
            0x80U |
            ((operation.index * 37U + static_cast<std::uint32_t>(operation.engine) * 11U) & 0x7FU);
    return static_cast<std::byte>(value);
}

}  // namespace

Sram::Sram(const NpuConfig& config, const DeviceClock& clock, PerfCounters& counters,
           DeviceObserver* observer, FaultInjector* faults)
    : sizeBytes_(std::uint64_t{config.sram.kib} * 1024),
      accumulatorBytes_(std::uint64_t{config.mac.accumulatorKib} * 1024),
      bankBytes_(sizeBytes_ / config.sram.banks),
      hasRoundBanks_(std::has_single_bit(bankBytes_)),
      bankShift_(static_cast<unsigned>(std::countr_zero(bankBytes_))),
      portBytes_(config.sram.portBytes),
      poisons_(config.poisonOnChip),
      clock_(clock),
      counters_(counters),
      observer_(observer),
      faults_(faults) {
    if (!config.timingOnly) {
        sram_.resize(sizeBytes_);
        accumulators_.resize(accumulatorBytes_);
    }
    for (Running& running : running_) {
        running.demand.resize(config.sram.banks + 1, 0);
    }
}

void Sram::spreadDemand(Running& running) const {
    std::uint64_t low = sizeBytes_;
    std::uint64_t high = 0;
    for (const SramAccess& access : running.footprint.accesses()) {
        low = std::min(low, access.range.first());
        high = std::max(high, access.range.end());
    }
    running.firstBank = high == 0 ? 0 : bankOf(low);
    running.endBank = high == 0 ? 0 : bankOf(high - 1) + 1;
    std::fill(running.demand.begin() + static_cast<std::ptrdiff_t>(running.firstBank),
              running.demand.begin() + static_cast<std::ptrdiff_t>(running.endBank), 0);
    const std::uint64_t portBytes =
            portBytes_ *
            std::max<std::uint64_t>(clock_.toCore(running.operation.durationCycles), 1);
    const auto add = [&](std::size_t bank, std::uint64_t demand) {
        running.demand[bank] = std::min(running.demand[bank] + demand, kWhole);
    };
    running.demand[residentBank()] = 0;
    add(residentBank(), running.footprint.residentBytes() * kWhole / portBytes);
    for (const SramAccess& access : running.footprint.accesses()) {
        const std::uint64_t demand = access.trafficBytes * kWhole / portBytes;
        const std::uint64_t first = access.range.first();
        const std::uint64_t end = access.range.end();
        const std::size_t firstBank = bankOf(first);
        const std::size_t lastBank = bankOf(end - 1);
        if (firstBank == lastBank) {
            add(firstBank, demand);
            continue;
        }
        for (std::size_t bank = firstBank; bank <= lastBank; ++bank) {
            const std::uint64_t inBank =
                    std::min(end, (bank + 1) * bankBytes_) - std::max(first, bank * bankBytes_);
            add(bank, demand * inBank / (end - first));
        }
    }
}

std::uint64_t Sram::demandOf(const Running& running, std::size_t bank) const {
    const bool mayUse =
            (bank >= running.firstBank && bank < running.endBank) || bank == residentBank();
    return mayUse ? running.demand[bank] : 0;
}

/// The largest sum of demands over the operation's banks, at least a whole port.
std::uint64_t Sram::loadAt(const Running& self, std::uint64_t cycle) const {
    std::uint64_t load = kWhole;
    const auto consider = [&](std::size_t bank) {
        std::uint64_t sum = self.demand[bank];
        if (sum == 0) {
            return;
        }
        for (const Running& other : running_) {
            const bool runs = &other != &self && other.isActive && other.endCycle > cycle;
            sum += runs ? demandOf(other, bank) : 0;
        }
        load = std::max(load, sum);
    };
    for (std::size_t bank = self.firstBank; bank < self.endBank; ++bank) {
        consider(bank);
    }
    consider(residentBank());
    return load;
}

/// While others run, they and the operation share the ports: what it needs of them in the time that
/// the others still take without it is stretched by the load.
std::uint64_t Sram::stallCycles(const Running& self) const {
    const std::uint64_t begin = clock_.now();
    const std::uint64_t end = begin + self.operation.durationCycles;
    std::uint64_t stall = 0;  // in kWhole
    for (std::uint64_t cycle = begin; cycle < end;) {
        std::uint64_t next = end;
        bool isAlone = true;
        for (const Running& other : running_) {
            if (&other != &self && other.isActive && other.endCycle > cycle) {
                next = std::min(next, other.endCycle);
                isAlone = false;
            }
        }
        if (isAlone) {
            break;
        }
        stall += (loadAt(self, cycle) - kWhole) * (next - cycle);
        cycle = next;
    }
    return (stall + kWhole - 1) / kWhole;
}

std::uint64_t Sram::begin(OperationSlot slot, const Operation& operation,
                          const Footprint& footprint) {
    Running& self = running_[static_cast<std::size_t>(slot)];
    VNPU_CHECK(!self.isActive, "a slot holds one operation");
    self.operation = operation;
    self.footprint = footprint;
    self.hasLost = false;
    findRaces(self);
    self.isActive = true;
    spreadDemand(self);
    const std::uint64_t stall = stallCycles(self);
    self.endCycle = clock_.now() + operation.durationCycles + stall;
    return stall;
}

std::byte Sram::end(OperationSlot slot) {
    Running& self = running_[static_cast<std::size_t>(slot)];
    if (!self.isActive) {
        return std::byte{0};
    }
    self.isActive = false;
    const std::byte raced = self.hasLost ? spoilMask(self.operation) : std::byte{0};
    const Operation& operation = self.operation;
    return faults_ == nullptr ? raced
                              : raced ^ faults_->takeWrongResult(operation.engine, operation.index);
}

void Sram::findRaces(Running& self) {
    for (Running& other : running_) {
        const bool isPair = other.isActive && other.operation.engine != self.operation.engine;
        if (!isPair && (&other != &self || !self.operation.writesWhileReading)) {
            continue;
        }
        for (const SramAccess& mine : self.footprint.accesses()) {
            for (const SramAccess& theirs : other.footprint.accesses()) {
                meet(self, other, mine, theirs);
            }
        }
        meet(self, other, self.footprint.accumulators(), other.footprint.accumulators());
    }
}

void Sram::meet(Running& self, Running& other, const SramAccess& mine, const SramAccess& theirs) {
    const bool isConflict =
            &self != &other ? mine.isWrite || theirs.isWrite : !mine.isWrite && theirs.isWrite;
    if (isConflict && mine.range.overlaps(theirs.range)) {
        self.hasLost |= theirs.isWrite;
        other.hasLost |= mine.isWrite;
        reportRace(self, other, mine, theirs);
    }
}

void Sram::startJob(std::uint64_t kept) {
    if (!poisons_) {
        return;
    }
    const auto blockBytes = static_cast<std::ptrdiff_t>(sramBlockBytes(sizeBytes_));
    for (std::uint32_t block = 0; block < kSramBlockCount && !sram_.empty(); ++block) {
        if ((kept >> block & 1) == 0) {
            const auto begin = sram_.begin() + block * blockBytes;
            std::fill(begin, begin + blockBytes, kPoison);
        }
    }
    std::fill(accumulators_.begin(), accumulators_.end(), kPoison);
}

void Sram::reportRace(const Running& self, const Running& other, const SramAccess& mine,
                      const SramAccess& theirs) {
    isRaceSeen_ = true;
    counters_.add(regs::PerfEvent::kSramRaces, 1);
    if (observer_ == nullptr) {
        return;
    }
    observer_->onFault(clock_.now(), self.operation.engine, JobStatus::kOk,
                       fmt::format("sram race: {} command {} {} 0x{:x}..0x{:x} while {} command {} "
                                   "{} 0x{:x}..0x{:x}",
                                   engineName(self.operation.engine), self.operation.index,
                                   mine.isWrite ? "writes" : "reads", mine.range.first(),
                                   mine.range.end(), engineName(other.operation.engine),
                                   other.operation.index, theirs.isWrite ? "writes" : "reads",
                                   theirs.range.first(), theirs.range.end()));
}

bool Sram::readsPendingWrites(const Footprint& footprint, OperationSlot slot) const {
    const Running& pending = running_[static_cast<std::size_t>(slot)];
    if (!pending.isActive) {
        return false;
    }
    for (const SramAccess& mine : footprint.accesses()) {
        for (const SramAccess& theirs : pending.footprint.accesses()) {
            if (!mine.isWrite && theirs.isWrite && mine.range.overlaps(theirs.range)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace vnpu::hw

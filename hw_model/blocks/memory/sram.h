// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/blocks/base/footprint.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Slots of running operations: one per DMA channel, two for the MAC array (array and output stage
/// work on different commands), one for the vector unit.
enum class OperationSlot : std::uint8_t { kDma0, kDma1, kDma2, kDma3, kMacEven, kMacOdd, kVector };
inline constexpr std::size_t kOperationSlots = 7;

/// On-chip SRAM and accumulator memory: bytes, load on the banks, and detection of missing tokens.
///
/// Banks. Bank b holds bytes [b, b+1) * sramBytes/banks; one more bank models the port of the
/// resident memory (resident_memory.h), whose bytes are stored elsewhere. A running operation loads
/// each bank with the beats that it needs there, relative to its undisturbed duration and at most
/// the whole port: conflicts of an engine with itself are in the engine's own cycle formula. An
/// operation that begins while others use its banks is slowed by the largest sum of demands over
/// its banks if that exceeds 1, until each of the others is due to end. Operations already running
/// are not re-timed.
///
/// Races. Only tokens keep engines apart in SRAM, as in hardware. If an operation begins while
/// another engine still writes what it reads (or reads or writes what it writes), a token is
/// missing. The device then sets STATUS.SRAM_RACE, counts the event, and corrupts data
/// deterministically: when the losing operation ends, its results are XORed with a byte derived
/// from its place in the stream. The loser is the reader if one reads and one writes; both lose if
/// both write. An operation that stores early results before it has read everything races with
/// itself where they overlap. Hazard-free streams are never affected; two commands of one engine
/// never race (engines work in order). The accumulators are watched in the same way; resident
/// memory, like system memory, is not watched. Not modeled: ECC. Simulation thread.
class Sram {
  public:
    /// `faults` may be null.
    Sram(const NpuConfig& config, const DeviceClock& clock, PerfCounters& counters,
         DeviceObserver* observer, FaultInjector* faults = nullptr);

    std::uint64_t sizeBytes() const { return sizeBytes_; }
    std::uint64_t accumulatorBytes() const { return accumulatorBytes_; }

    /// Null in timing-only mode.
    std::byte* bytes() { return sram_.data(); }
    std::byte* accumulators() { return accumulators_.data(); }

    struct Operation {
        Engine engine = Engine::kController;
        std::uint32_t index = 0;           // of the command on its engine
        std::uint64_t durationCycles = 1;  // undisturbed
        bool writesWhileReading = false;   // otherwise everything is read before the first result
    };

    /// Registers an operation that begins now; returns the cycles that others on its banks add.
    std::uint64_t begin(OperationSlot slot, const Operation& operation, const Footprint& footprint);

    /// Ends an operation; nonzero if it lost a race, or an injected fault makes its results wrong:
    /// the byte to XOR its results with.
    std::byte end(OperationSlot slot);

    /// Whether an operation that reads `footprint` would read results of the one in `slot`.
    bool readsPendingWrites(const Footprint& footprint, OperationSlot slot) const;

    /// JOB_START: with NpuConfig::poisonOnChip, nothing of an earlier job stays readable except the
    /// blocks of `kept` (sram_blocks.h).
    void startJob(std::uint64_t kept);

    static constexpr std::byte kPoison{
            0xA5};  // chosen: nonzero, and not a plausible quantized or float value

    bool isRaceSeen() const { return isRaceSeen_; }
    void clearRace() { isRaceSeen_ = false; }

  private:
    struct Running {
        bool isActive = false;
        bool hasLost = false;
        Operation operation;
        Footprint footprint;
        std::size_t firstBank = 0;
        std::size_t endBank = 0;
        std::uint64_t endCycle = 0;  // as expected when it began
        // Per bank, in 1/65536; valid from firstBank to endBank, and of residentBank().
        std::vector<std::uint64_t> demand;
    };

    std::size_t bankOf(std::uint64_t offset) const {
        return hasRoundBanks_ ? offset >> bankShift_ : offset / bankBytes_;
    }
    void findRaces(Running& self);
    void meet(Running& self, Running& other, const SramAccess& mine, const SramAccess& theirs);
    void reportRace(const Running& self, const Running& other, const SramAccess& mine,
                    const SramAccess& theirs);
    void spreadDemand(Running& running) const;
    /// The port of the resident memory.
    std::size_t residentBank() const { return running_[0].demand.size() - 1; }
    std::uint64_t demandOf(const Running& running, std::size_t bank) const;
    std::uint64_t loadAt(const Running& self, std::uint64_t cycle) const;
    std::uint64_t stallCycles(const Running& self) const;

    std::uint64_t sizeBytes_;
    std::uint64_t accumulatorBytes_;
    std::uint64_t bankBytes_;
    bool hasRoundBanks_;  // bankBytes_ is a power of two, so no division is needed
    unsigned bankShift_;
    std::uint64_t portBytes_;
    bool poisons_;
    const DeviceClock& clock_;
    PerfCounters& counters_;
    DeviceObserver* observer_;
    FaultInjector* faults_;
    std::vector<std::byte> sram_;
    std::vector<std::byte> accumulators_;
    std::array<Running, kOperationSlots> running_;
    bool isRaceSeen_ = false;
};

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/blocks/memory/memory_places.h"
#include "hw_model/blocks/memory/piece_cursor.h"
#include "hw_model/timing/dram_banks.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// How transfers share a DRAM with banks, in the place of MemoryArbiter's chunks of fixed rate. A
/// transfer asks for units of kUnitBursts bursts, at its own pace. Whenever the memory controller's
/// queue has room, one unit enters it: of those that have been asked for, the controller's comes
/// first, then the one whose transfer's chunk (dma.chunkBytes) was begun first, so that competing
/// transfers take turns by chunks. The DRAM then decides when the data of each burst move
/// (timing/dram_banks.h). A unit also takes the interconnect for its bytes.
///
/// A transfer that reads and writes memory reads a whole chunk and then writes it, as a buffer of
/// that size would. Reads of page tables precede its bytes and are entries of the queue like any
/// other, one at a time.
///
/// External load (dram.background) is units that read ascending addresses at equal intervals and
/// use no interconnect.
///
/// Times are in ticks, as of the constructor. As in MemoryArbiter, there are no events: serve()
/// catches up, predict() looks ahead. Simulation thread.
class BankedSchedule {
  public:
    using Ticks = DramBanks::Ticks;
    static constexpr std::size_t kFlows = 6;
    static constexpr std::uint64_t kUnitBursts =
            8;  // of dma.burstBytes. chosen: as MemoryArbiter::kBackgroundBursts

    struct Transfer {
        Ticks requestTick = 0;
        std::uint64_t bytes = 0;   // bus bytes
        double ticksPerByte = 1;   // its own pace
        std::uint32_t passes = 1;  // over the interconnect
        Ticks tableLatency = 0;
        MemoryPlaces places{};
    };

    /// `urgentFlow` is served first.
    BankedSchedule(const NpuConfig& config, double ticksPerCycle, std::size_t urgentFlow);

    void setInterconnectRate(double ticksPerByte) { interconnectTicksPerByte_ = ticksPerByte; }

    void start(std::size_t flow, const Transfer& transfer);
    /// Admits everything that can be admitted before `beforeTick`.
    void serve(Ticks beforeTick) { serve(state_, beforeTick); }
    /// Forgets what was not admitted.
    void drop(std::size_t flow) { state_.flows[flow].bytesLeft = 0; }
    std::uint64_t bytesLeft(std::size_t flow) const { return state_.flows[flow].bytesLeft; }

    /// The times at which the last bytes of all flows arrive if nothing else starts.
    std::array<Ticks, kFlows> predict();

    const DramCounters& counters() const { return state_.banks.counters(); }
    void clearCounters() { state_.banks.clearCounters(); }

  private:
    /// What stays the same during a transfer.
    struct Course {
        std::uint64_t bytes = 0;
        std::uint64_t skippedBytes = 0;
        std::uint64_t readBytes = 0;  // by addresses
        std::uint64_t writeBytes = 0;
        double ticksPerByte = 1;
        std::uint32_t passes = 1;
        Ticks tableLatency = 0;
        std::vector<DmaPiece> reads;
        std::vector<DmaPiece> writes;
        std::vector<std::uint64_t> tableReads;
    };
    struct Flow {
        std::uint64_t bytesLeft = 0;
        std::size_t tableReads = 0;  // made
        PieceCursor reads;
        PieceCursor writes;
        Ticks requestTick = 0;  // of the next unit
        Ticks turnTick = 0;     // at which the present chunk was begun
        Ticks arrivalTick = 0;
    };
    struct State {
        DramBanks banks;
        std::array<Flow, kFlows> flows{};
        Ticks interconnectFree = 0;
        Ticks backgroundTick = 0;
        std::uint64_t backgroundAddress = 0;
    };

    void serve(State& state, Ticks beforeTick) const;
    bool serveNext(State& state, Ticks beforeTick) const;
    std::size_t choose(const State& state, Ticks tick) const;
    void serveUnit(State& state, std::size_t flow, Ticks tick) const;
    void serveTableRead(State& state, std::size_t flow, Ticks tick) const;
    Ticks moveData(State& state, std::size_t flow, Ticks tick) const;
    void serveBackground(State& state, Ticks tick) const;
    void skipBackground(State& state, Ticks beforeTick) const;
    Ticks backgroundRequest(const State& state) const;

    std::uint64_t chunkBytes_;
    std::uint64_t unitBytes_;
    std::size_t urgentFlow_;
    double interconnectTicksPerByte_ = 0;
    Ticks backgroundPeriod_ = 0;  // 0: none
    std::array<Course, kFlows> courses_{};
    State state_;
    State future_;  // of predict(), kept for its memory
};

}  // namespace vnpu::hw

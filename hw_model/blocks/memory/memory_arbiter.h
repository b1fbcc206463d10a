// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "hw_model/blocks/memory/banked_schedule.h"
#include "hw_model/blocks/memory/memory_places.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Timing of the interconnect and of the DRAM behind it. A transfer is divided into chunks
/// (dma.chunkBytes). A chunk requests service when the transfer's previous chunk has arrived;
/// interconnect and DRAM serve chunks one after another in the order of their requests (ties: lower
/// flow first), each at its own bandwidth, so that competing transfers take turns. A transfer's own
/// rate (channel port, SRAM banks) limits it as well. DRAM time includes refresh and, by
/// Request::dramRate, the row misses that banks do not hide.
///
/// A chunk consists of many bursts (dma.burstBytes), to keep the number of events low. The
/// controller's requests are short and it stalls meanwhile, so they are served in between, after
/// one burst of each other transfer in progress; later requests wait for them.
///
/// Users outside the device take dram.background of the DRAM: kBackgroundBursts bursts request
/// service at equal intervals from cycle 0 on and wait for their turn like a chunk. They thus get
/// their share however busy the device is, and a chunk may have to wait for the rest of one. They
/// never use the interconnect.
///
/// There are no events here: on each query, plain arithmetic serves the chunks up to that time,
/// many at once where they repeat (a lone transfer, or transfers taking turns at the DRAM). The
/// future is known until the next transfer begins, so the end of every transfer is a prediction
/// that only a later start() or stop() changes. Not modeled: read and write turnaround.
///
/// With DramModel::kBanked, all of this is left to BankedSchedule, which serves the addresses in
/// Request::places. Simulation thread.
class MemoryArbiter {
  public:
    static constexpr std::size_t kFlows = 6;  // four DMA channels, the controller and the DSP
    static constexpr std::size_t kControllerFlow = 4;
    static constexpr std::size_t kDspFlow = 5;
    static constexpr std::uint64_t kBackgroundBursts =
            8;  // chosen: what a memory controller serves for one master before the next

    struct Request {
        std::uint64_t requestCycle = 0;  // when the first chunk is requested, after the latency
        std::uint64_t bytes = 0;         // bus bytes, at least 1
        double bytesPerCycle = 1;        // undisturbed rate; shared resources may reduce it
        std::uint32_t passes =
                1;  // 2: the bytes cross interconnect and DRAM twice (memory to memory)
        double dramRate =
                0;  // bytes per cycle of the DRAM for this transfer; 0: the sustained rate
        MemoryPlaces places{};  // only a DRAM with banks uses them
    };

    explicit MemoryArbiter(const NpuConfig& config);

    /// Sets the interconnect's bytes per device cycle; only while no flow is active.
    void setInterconnectRate(double bytesPerCycle);

    /// Begins a transfer on an idle flow. requestCycle must not lie before `now`.
    void start(std::size_t flow, std::uint64_t now, const Request& request);

    /// Ends a flow at `now`, finished or not; returns the bytes served.
    std::uint64_t stop(std::size_t flow, std::uint64_t now);

    /// The cycle at which the flow's last byte arrives, as predicted now.
    std::uint64_t endCycle(std::size_t flow) const { return ends_[flow]; }

    bool isActive(std::size_t flow) const { return isActive_[flow]; }

    /// Changes whenever endCycle() of some flow may have changed.
    std::uint64_t generation() const { return generation_; }

    /// Cycles in which the DRAM moved data for transfers that have ended.
    std::uint64_t dramBusyCycles() const;
    /// What the banks counted, with turnaround in device cycles; zeros with the flat model.
    /// Accesses count when they enter the DRAM's queue, refreshes when the next access finds that
    /// they were due.
    std::uint64_t dramCount(regs::PerfEvent event) const;
    void clearCounts();

  private:
    struct Flow {
        std::uint64_t requestTick =
                0;                    // request of the next chunk; after the last one: its arrival
        std::uint64_t baseTick = 0;   // start of the current undisturbed run of chunks
        std::uint64_t baseBytes = 0;  // served in that run
        std::uint64_t bytesLeft = 0;  // 0: idle or all served
        double bytesPerCycle = 1;
        double dramRate = 1;
        std::uint64_t chunkTicks = 0;  // of a whole chunk at the flow's own rate
        std::uint64_t interconnectChunkTicks = 0;
        std::uint64_t dramChunkTicks = 0;
        std::uint32_t passes = 1;
    };
    struct State {
        std::array<Flow, kFlows> flows{};
        std::uint32_t waiting = 0;  // bit i: flow i has bytes left
        std::uint64_t interconnectFreeTick = 0;
        std::uint64_t dramFreeTick = 0;
        std::uint64_t backgroundTick = 0;  // next background request
    };

    std::uint64_t turnTicks(const State& state, const Flow& flow) const;
    bool hasBackground() const { return backgroundPeriod_ != 0; }
    void serveBackground(State& state, std::uint64_t beforeTick) const;
    static void take(State& state, std::size_t index, std::uint64_t bytes);
    void serveChunk(State& state, std::size_t index) const;
    bool serveNext(State& state, std::uint64_t beforeTick) const;
    void serveAlone(State& state, std::uint64_t beforeTick) const;
    void serveRounds(State& state, std::uint64_t beforeTick) const;
    void serve(State& state, std::uint64_t beforeTick) const;
    void predict();
    void startBanked(std::size_t flow, std::uint64_t now, const Request& request);
    std::uint64_t stopBanked(std::size_t flow, std::uint64_t now);
    void predictBanked();

    std::uint64_t chunkBytes_;
    std::uint64_t burstTicks_;  // of the DRAM
    double interconnectBytesPerCycle_;
    double dramBytesPerCycle_;            // sustained
    std::uint64_t backgroundTicks_ = 0;   // duration of a background burst
    std::uint64_t backgroundPeriod_ = 0;  // between background bursts; 0: none
    State state_;
    std::array<std::uint64_t, kFlows> ends_{};
    std::array<std::uint64_t, kFlows> startedBytes_{};
    std::array<bool, kFlows> isActive_{};
    std::uint64_t generation_ = 0;
    double dramBusy_ = 0;
    std::unique_ptr<BankedSchedule> banked_;  // null: the flat model
};

}  // namespace vnpu::hw

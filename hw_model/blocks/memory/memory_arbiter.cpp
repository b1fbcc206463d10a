// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/memory_arbiter.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "hw_model/regs/check.h"
#include "hw_model/timing/memory_timing.h"

namespace vnpu::hw {

namespace {

// Fractions of a cycle. chosen: 2^20, so that the rounding of many chunks stays far below one cycle
// while 2^44 cycles fit.
constexpr unsigned kTickBits = 20;
constexpr double kTicksPerCycle = 1U << kTickBits;
constexpr std::uint64_t kEndOfTime = std::numeric_limits<std::uint64_t>::max();

std::uint64_t toTicks(double bytesPerCycle, std::uint64_t bytes) {
    // Signed, because processors convert signed integers in one instruction.
    const auto whole = static_cast<std::int64_t>(bytes);
    return static_cast<std::uint64_t>(
            static_cast<std::int64_t>(static_cast<double>(whole) / bytesPerCycle * kTicksPerCycle));
}

std::uint64_t toCycleCeil(std::uint64_t ticks) {
    return (ticks + (1ULL << kTickBits) - 1) >> kTickBits;
}

/// Calls visit(index) for every bit of `flows`, lowest first.
template <typename Visit>
void forEachFlow(std::uint32_t flows, const Visit& visit) {
    for (; flows != 0; flows &= flows - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(flows)));
    }
}

}  // namespace

MemoryArbiter::MemoryArbiter(const NpuConfig& config)
    : chunkBytes_(config.dma.chunkBytes),
      interconnectBytesPerCycle_(config.interconnect.bytesPerCycle),
      dramBytesPerCycle_(dramRate(config.dram, 0, 0)) {
    if (config.dram.model == DramModel::kBanked) {
        banked_ = std::make_unique<BankedSchedule>(config, kTicksPerCycle, kControllerFlow);
        setInterconnectRate(interconnectBytesPerCycle_);
        return;
    }
    burstTicks_ = toTicks(dramBytesPerCycle_, config.dma.burstBytes);
    if (config.dram.background > 0) {
        backgroundTicks_ = toTicks(dramBytesPerCycle_, kBackgroundBursts * config.dma.burstBytes);
        backgroundPeriod_ = static_cast<std::uint64_t>(static_cast<double>(backgroundTicks_) /
                                                       config.dram.background);
    }
}

void MemoryArbiter::setInterconnectRate(double bytesPerCycle) {
    interconnectBytesPerCycle_ = bytesPerCycle;
    if (banked_) {
        banked_->setInterconnectRate(kTicksPerCycle / bytesPerCycle);
    }
}

/// Serves background requests made before `beforeTick`.
void MemoryArbiter::serveBackground(State& state, std::uint64_t beforeTick) const {
    while (state.backgroundTick < beforeTick) {
        if (state.dramFreeTick <= state.backgroundTick) {
            // Nothing else is waiting: only the last burst before then can matter.
            state.backgroundTick +=
                    (beforeTick - 1 - state.backgroundTick) / backgroundPeriod_ * backgroundPeriod_;
        }
        state.dramFreeTick = std::max(state.dramFreeTick, state.backgroundTick) + backgroundTicks_;
        state.backgroundTick += backgroundPeriod_;
    }
}

/// One burst of each other transfer in progress at the time of the request, and of the background.
std::uint64_t MemoryArbiter::turnTicks(const State& state, const Flow& flow) const {
    std::uint64_t ticks = backgroundTicks_;
    for (const Flow& other : state.flows) {
        const bool isUnderWay = other.bytesLeft != 0 || other.requestTick > flow.requestTick;
        ticks += &other != &flow && isUnderWay ? burstTicks_ : 0;
    }
    return ticks;
}

/// Removes `bytes` from the bytes that a flow waits for, whether served or dropped.
void MemoryArbiter::take(State& state, std::size_t index, std::uint64_t bytes) {
    std::uint64_t& left = state.flows[index].bytesLeft;
    left -= bytes;
    if (left == 0) {
        state.waiting &= ~(1U << index);
    }
}

void MemoryArbiter::serveChunk(State& state, std::size_t index) const {
    Flow& flow = state.flows[index];
    std::uint64_t start =
            std::max({flow.requestTick, state.interconnectFreeTick, state.dramFreeTick});
    if (index == kControllerFlow) {
        start = std::min(start, flow.requestTick + turnTicks(state, flow));
    }
    if (start != flow.requestTick || flow.baseBytes == 0) {
        flow.baseTick = start;
        flow.baseBytes = 0;
    }
    std::uint64_t bytes = chunkBytes_;
    std::uint64_t interconnectTicks = flow.interconnectChunkTicks;
    std::uint64_t dramTicks = flow.dramChunkTicks;
    if (flow.bytesLeft < chunkBytes_) {
        bytes = flow.bytesLeft;
        interconnectTicks = toTicks(interconnectBytesPerCycle_, bytes * flow.passes);
        dramTicks = toTicks(flow.dramRate, bytes * flow.passes);
    }
    flow.baseBytes += bytes;
    take(state, index, bytes);
    state.interconnectFreeTick = std::max(state.interconnectFreeTick, start) + interconnectTicks;
    state.dramFreeTick = std::max(state.dramFreeTick, start) + dramTicks;
    flow.requestTick = flow.baseTick + (flow.baseBytes == chunkBytes_
                                                ? flow.chunkTicks
                                                : toTicks(flow.bytesPerCycle, flow.baseBytes));
}

/// Serves the earliest requested chunk if its request lies before `beforeTick`.
bool MemoryArbiter::serveNext(State& state, std::uint64_t beforeTick) const {
    std::size_t next = kFlows;
    std::uint64_t requestTick = beforeTick;
    forEachFlow(state.waiting, [&](std::size_t index) {
        if (state.flows[index].requestTick < requestTick) {
            requestTick = state.flows[index].requestTick;
            next = index;
        }
    });
    if (hasBackground() && requestTick != kEndOfTime) {
        serveBackground(state, requestTick);
    }
    if (next == kFlows) {
        return false;
    }
    serveChunk(state, next);
    return true;
}

/// Once a chunk of a lone transfer starts at its request, so do all later ones. Serves all whole
/// chunks but the last that are requested before `beforeTick` in one step.
void MemoryArbiter::serveAlone(State& state, std::uint64_t beforeTick) const {
    const auto index = static_cast<std::size_t>(std::countr_zero(state.waiting));
    Flow& flow = state.flows[index];
    const bool isFree =
            std::max(state.interconnectFreeTick, state.dramFreeTick) <= flow.requestTick;
    if (!isFree || flow.baseBytes == 0 || flow.requestTick >= beforeTick) {
        return;
    }
    const std::uint64_t chunks = std::min((flow.bytesLeft - 1) / chunkBytes_,
                                          (beforeTick - flow.requestTick) / flow.chunkTicks);
    if (chunks == 0) {
        return;
    }
    const std::uint64_t lastTick =
            flow.baseTick +
            toTicks(flow.bytesPerCycle, flow.baseBytes + (chunks - 1) * chunkBytes_);
    flow.baseBytes += chunks * chunkBytes_;
    take(state, index, chunks * chunkBytes_);
    flow.requestTick = flow.baseTick + toTicks(flow.bytesPerCycle, flow.baseBytes);
    state.interconnectFreeTick = lastTick + flow.interconnectChunkTicks;
    state.dramFreeTick = lastTick + flow.dramChunkTicks;
}

/// Serves one chunk of each waiting transfer. If all times advanced by the same amount, the round
/// will repeat: serves all its repetitions with whole chunks before `beforeTick` in one step.
void MemoryArbiter::serveRounds(State& state, std::uint64_t beforeTick) const {
    const std::uint32_t waiting = state.waiting;
    const std::uint64_t interconnectBefore = state.interconnectFreeTick;
    const std::uint64_t dramBefore = state.dramFreeTick;
    std::array<std::uint64_t, kFlows> requestsBefore{};
    for (std::size_t i = 0; i < kFlows; ++i) {
        requestsBefore[i] = state.flows[i].requestTick;
    }
    for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
        if (!serveNext(state, beforeTick)) {
            return;
        }
    }
    const std::uint64_t ticks = state.dramFreeTick - dramBefore;
    bool repeats = state.waiting == waiting && ticks != 0 &&
                   state.interconnectFreeTick - interconnectBefore == ticks;
    std::uint64_t rounds = kEndOfTime;
    forEachFlow(waiting, [&](std::size_t index) {
        const Flow& flow = state.flows[index];
        const bool hasWaited =
                flow.baseBytes == chunkBytes_ && flow.baseTick != requestsBefore[index];
        repeats = repeats && hasWaited && flow.requestTick - requestsBefore[index] == ticks &&
                  flow.requestTick < beforeTick;
        if (repeats) {
            rounds = std::min({rounds, flow.bytesLeft / chunkBytes_,
                               (beforeTick - 1 - flow.requestTick) / ticks + 1});
        }
    });
    if (!repeats) {
        return;
    }
    forEachFlow(waiting, [&](std::size_t index) {
        state.flows[index].requestTick += rounds * ticks;
        state.flows[index].baseTick += rounds * ticks;
        take(state, index, rounds * chunkBytes_);
    });
    state.interconnectFreeTick += rounds * ticks;
    state.dramFreeTick += rounds * ticks;
}

/// Serves everything requested before `beforeTick`.
void MemoryArbiter::serve(State& state, std::uint64_t beforeTick) const {
    do {
        const bool repeats = !hasBackground() && (state.waiting & 1U << kControllerFlow) == 0;
        const bool areSeveral = (state.waiting & (state.waiting - 1)) != 0;
        if (repeats && areSeveral) {
            serveRounds(state, beforeTick);
        } else if (repeats && state.waiting != 0) {
            serveAlone(state, beforeTick);
        }
    } while (serveNext(state, beforeTick));
}

void MemoryArbiter::predict() {
    ++generation_;
    State future = state_;
    serve(future, kEndOfTime);
    for (std::size_t i = 0; i < kFlows; ++i) {
        ends_[i] = toCycleCeil(future.flows[i].requestTick);
    }
}

void MemoryArbiter::start(std::size_t index, std::uint64_t now, const Request& request) {
    VNPU_CHECK(request.bytes > 0 && request.requestCycle >= now,
               "a transfer has bytes and asks no earlier than it starts");
    VNPU_CHECK(!isActive_[index], "a flow carries one transfer at a time");
    startedBytes_[index] = request.bytes;
    isActive_[index] = true;
    if (banked_) {
        startBanked(index, now, request);
        return;
    }
    serve(state_, now << kTickBits);
    Flow& flow = state_.flows[index];
    flow = Flow{};
    flow.requestTick = request.requestCycle << kTickBits;
    flow.bytesLeft = request.bytes;
    flow.bytesPerCycle = request.bytesPerCycle;
    flow.passes = request.passes;
    flow.dramRate = request.dramRate > 0 ? request.dramRate : dramBytesPerCycle_;
    flow.chunkTicks = toTicks(flow.bytesPerCycle, chunkBytes_);
    flow.interconnectChunkTicks = toTicks(interconnectBytesPerCycle_, chunkBytes_ * request.passes);
    flow.dramChunkTicks = toTicks(flow.dramRate, chunkBytes_ * request.passes);
    state_.waiting |= 1U << index;
    predict();
}

std::uint64_t MemoryArbiter::stop(std::size_t index, std::uint64_t now) {
    isActive_[index] = false;
    if (banked_) {
        return stopBanked(index, now);
    }
    Flow& flow = state_.flows[index];
    serve(state_, now << kTickBits);
    const bool isOver = ends_[index] <= now;
    const std::uint64_t served = startedBytes_[index] - (isOver ? 0 : flow.bytesLeft);
    dramBusy_ += static_cast<double>(served * flow.passes) / flow.dramRate;
    take(state_, index, flow.bytesLeft);
    if (isOver) {
        return served;  // its use of the shared resources ended no later than the transfer
    }
    if (flow.baseBytes == 0) {
        flow.requestTick = 0;  // it never made a request
    }
    predict();
    return served;
}

void MemoryArbiter::startBanked(std::size_t index, std::uint64_t now, const Request& request) {
    banked_->serve(now << kTickBits);
    // The counters of busy cycles need the passes.
    state_.flows[index].passes = request.passes;
    banked_->start(index, {.requestTick = request.requestCycle << kTickBits,
                           .bytes = request.bytes,
                           .ticksPerByte = kTicksPerCycle / request.bytesPerCycle,
                           .passes = request.passes,
                           .tableLatency = request.places.tableLatencyCycles << kTickBits,
                           .places = request.places});
    predictBanked();
}

std::uint64_t MemoryArbiter::stopBanked(std::size_t index, std::uint64_t now) {
    banked_->serve(now << kTickBits);
    const bool isOver = ends_[index] <= now;
    const std::uint64_t served = startedBytes_[index] - (isOver ? 0 : banked_->bytesLeft(index));
    dramBusy_ += static_cast<double>(served * state_.flows[index].passes) / dramBytesPerCycle_;
    banked_->drop(index);
    if (!isOver) {
        predictBanked();
    }
    return served;
}

void MemoryArbiter::predictBanked() {
    ++generation_;
    const auto arrivals = banked_->predict();
    std::transform(arrivals.begin(), arrivals.end(), ends_.begin(), toCycleCeil);
}

std::uint64_t MemoryArbiter::dramBusyCycles() const {
    return static_cast<std::uint64_t>(dramBusy_);
}

std::uint64_t MemoryArbiter::dramCount(regs::PerfEvent event) const {
    if (!banked_) {
        return 0;
    }
    const DramCounters& counters = banked_->counters();
    switch (event) {
        case regs::PerfEvent::kDramRowHits:
            return counters.hits;
        case regs::PerfEvent::kDramRowMisses:
            return counters.misses;
        case regs::PerfEvent::kDramRowConflicts:
            return counters.conflicts;
        case regs::PerfEvent::kDramRefreshes:
            return counters.refreshes;
        case regs::PerfEvent::kDramTurnaroundCycles:
            return counters.turnaroundTicks >> kTickBits;
        default:
            return 0;
    }
}

void MemoryArbiter::clearCounts() {
    dramBusy_ = 0;
    if (banked_) {
        banked_->clearCounters();
    }
}

}  // namespace vnpu::hw

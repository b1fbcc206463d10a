// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory_arbiter.h"

#include <algorithm>
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
    return static_cast<std::uint64_t>(static_cast<double>(bytes) / bytesPerCycle * kTicksPerCycle);
}

std::uint64_t toCycleCeil(std::uint64_t ticks) {
    return (ticks + (1ULL << kTickBits) - 1) >> kTickBits;
}

}  // namespace

MemoryArbiter::MemoryArbiter(const NpuConfig& config)
    : chunkBytes_(config.dma.chunkBytes),
      interconnectBytesPerCycle_(config.interconnect.bytesPerCycle),
      dramBytesPerCycle_(dramSustainedRate(config.dram)) {
    burstTicks_ = toTicks(dramBytesPerCycle_, config.dma.burstBytes);
    if (config.dram.background > 0) {
        backgroundTicks_ = toTicks(dramBytesPerCycle_, kBackgroundBursts * config.dma.burstBytes);
        backgroundPeriod_ = static_cast<std::uint64_t>(static_cast<double>(backgroundTicks_) /
                                                       config.dram.background);
    }
}

/// What asked before `beforeTick`.
void MemoryArbiter::serveBackground(State& state, std::uint64_t beforeTick) const {
    while (state.backgroundTick < beforeTick) {
        if (state.dramFreeTick <= state.backgroundTick) {
            // Nobody else is there: all bursts until then but the last leave no trace.
            state.backgroundTick +=
                    (beforeTick - 1 - state.backgroundTick) / backgroundPeriod_ * backgroundPeriod_;
        }
        state.dramFreeTick = std::max(state.dramFreeTick, state.backgroundTick) + backgroundTicks_;
        state.backgroundTick += backgroundPeriod_;
    }
}

/// One burst of each other transfer that is under way when this one asks, and of those from
/// outside.
std::uint64_t MemoryArbiter::turnTicks(const State& state, const Flow& flow) const {
    std::uint64_t ticks = backgroundTicks_;
    for (const Flow& other : state.flows) {
        const bool isUnderWay = other.bytesLeft != 0 || other.endTick > flow.requestTick;
        ticks += &other != &flow && isUnderWay ? burstTicks_ : 0;
    }
    return ticks;
}

void MemoryArbiter::serveChunk(State& state, Flow& flow) const {
    const std::uint64_t bytes = std::min(flow.bytesLeft, chunkBytes_);
    std::uint64_t start =
            std::max({flow.requestTick, state.interconnectFreeTick, state.dramFreeTick});
    if (&flow == &state.flows[kControllerFlow]) {
        start = std::min(start, flow.requestTick + turnTicks(state, flow));
    }
    if (start != flow.requestTick || flow.baseBytes == 0) {
        flow.baseTick = start;
        flow.baseBytes = 0;
    }
    flow.baseBytes += bytes;
    flow.bytesLeft -= bytes;
    const std::uint64_t crossing = bytes * flow.passes;
    state.interconnectFreeTick = std::max(state.interconnectFreeTick, start) +
                                 toTicks(interconnectBytesPerCycle_, crossing);
    state.dramFreeTick = std::max(state.dramFreeTick, start) + toTicks(flow.dramRate, crossing);
    flow.requestTick = flow.baseTick + toTicks(flow.bytesPerCycle, flow.baseBytes);
    flow.endTick = flow.requestTick;
}

bool MemoryArbiter::serveNext(State& state, std::uint64_t beforeTick) const {
    Flow* next = nullptr;
    std::uint32_t waiting = 0;
    for (Flow& flow : state.flows) {
        if (flow.bytesLeft == 0) {
            continue;
        }
        ++waiting;
        if (next == nullptr || flow.requestTick < next->requestTick) {
            next = &flow;
        }
    }
    const bool isServed = next != nullptr && next->requestTick < beforeTick;
    if (hasBackground() && (isServed || beforeTick != kEndOfTime)) {
        serveBackground(state, isServed ? next->requestTick : beforeTick);
    }
    if (!isServed) {
        return false;
    }
    serveChunk(state, *next);
    if (waiting == 1 && beforeTick == kEndOfTime && next->bytesLeft != 0 && !hasBackground()) {
        // Alone from here on: once a chunk starts when it asked, all later ones do.
        if (std::max(state.interconnectFreeTick, state.dramFreeTick) <= next->requestTick) {
            next->baseBytes += next->bytesLeft;
            next->bytesLeft = 0;
            next->endTick = next->baseTick + toTicks(next->bytesPerCycle, next->baseBytes);
        }
    }
    return true;
}

void MemoryArbiter::predict() {
    ++generation_;
    State future = state_;
    while (serveNext(future, kEndOfTime)) {
    }
    for (std::size_t i = 0; i < kFlows; ++i) {
        ends_[i] = toCycleCeil(future.flows[i].endTick);
    }
}

void MemoryArbiter::start(std::size_t index, std::uint64_t now, const Request& request) {
    VNPU_CHECK(request.bytes > 0 && request.requestCycle >= now,
               "a transfer has bytes and asks no earlier than it starts");
    while (serveNext(state_, now << kTickBits)) {
    }
    Flow& flow = state_.flows[index];
    VNPU_CHECK(!isActive_[index], "a flow carries one transfer at a time");
    flow = Flow{};
    flow.requestTick = request.requestCycle << kTickBits;
    flow.bytesLeft = request.bytes;
    flow.bytesPerCycle = request.bytesPerCycle;
    flow.passes = request.passes;
    flow.dramRate = request.dramRate > 0 ? request.dramRate : dramBytesPerCycle_;
    startedBytes_[index] = request.bytes;
    isActive_[index] = true;
    predict();
}

std::uint64_t MemoryArbiter::stop(std::size_t index, std::uint64_t now) {
    Flow& flow = state_.flows[index];
    isActive_[index] = false;
    if (ends_[index] <= now) {
        // Whatever it still held of the shared resources ended no later than itself.
        dramBusy_ += static_cast<double>(startedBytes_[index] * flow.passes) / flow.dramRate;
        while (serveNext(state_, now << kTickBits)) {
        }
        flow.bytesLeft = 0;
        return startedBytes_[index];
    }
    while (serveNext(state_, now << kTickBits)) {
    }
    const std::uint64_t served = startedBytes_[index] - flow.bytesLeft;
    dramBusy_ += static_cast<double>(served * flow.passes) / flow.dramRate;
    flow.bytesLeft = 0;
    predict();
    return served;
}

std::uint64_t MemoryArbiter::dramBusyCycles() const {
    return static_cast<std::uint64_t>(dramBusy_);
}

}  // namespace vnpu::hw

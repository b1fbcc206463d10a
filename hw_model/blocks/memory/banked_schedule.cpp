// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/banked_schedule.h"

#include <algorithm>
#include <limits>

#include "hw_model/timing/memory_timing.h"

namespace vnpu::hw {

namespace {

constexpr DramBanks::Ticks kNoRequest = std::numeric_limits<DramBanks::Ticks>::max();
constexpr std::size_t kBackgroundFlow = BankedSchedule::kFlows;
constexpr std::uint64_t kKeptRequests = 16;  // of external load. chosen: more than a queue holds

DramBanks::Ticks ticksOf(double ticksPerByte, std::uint64_t bytes) {
    return static_cast<DramBanks::Ticks>(ticksPerByte * static_cast<double>(bytes));
}

std::uint64_t bytesOf(std::span<const DmaPiece> pieces) {
    std::uint64_t bytes = 0;
    for (const DmaPiece& piece : pieces) {
        bytes += piece.bytes * piece.rows;
    }
    return bytes;
}

/// `position` of `whole` bytes as a position in `part` bytes.
std::uint64_t scaled(std::uint64_t position, std::uint64_t whole, std::uint64_t part) {
    if (position == whole || part == whole) {
        return std::min(position, part);
    }
    const double share = static_cast<double>(position) / static_cast<double>(whole);
    return static_cast<std::uint64_t>(share * static_cast<double>(part));
}

}  // namespace

BankedSchedule::BankedSchedule(const NpuConfig& config, double ticksPerCycle,
                               std::size_t urgentFlow)
    : chunkBytes_(config.dma.chunkBytes),
      unitBytes_(kUnitBursts * config.dma.burstBytes),
      urgentFlow_(urgentFlow),
      state_{.banks = DramBanks(config.dram, ticksPerCycle)},
      future_(state_) {
    if (config.dram.background > 0) {
        const double unitTicks =
                static_cast<double>(unitBytes_) / dramSustainedRate(config.dram) * ticksPerCycle;
        backgroundPeriod_ = static_cast<Ticks>(unitTicks / config.dram.background);
    }
}

void BankedSchedule::start(std::size_t index, const Transfer& transfer) {
    const MemoryPlaces& places = transfer.places;
    Course& course = courses_[index];
    course.bytes = transfer.bytes + places.skippedBytes;
    course.skippedBytes = places.skippedBytes;
    course.readBytes = bytesOf(places.reads);
    course.writeBytes = bytesOf(places.writes);
    course.ticksPerByte = transfer.ticksPerByte;
    course.passes = transfer.passes;
    course.tableLatency = transfer.tableLatency;
    course.reads.assign(places.reads.begin(), places.reads.end());
    course.writes.assign(places.writes.begin(), places.writes.end());
    course.tableReads.assign(places.tableReads.begin(), places.tableReads.end());
    Flow& flow = state_.flows[index];
    flow = Flow{};
    flow.bytesLeft = transfer.bytes;
    flow.requestTick = flow.turnTick = flow.arrivalTick = transfer.requestTick;
    const auto skip = [&](PieceCursor& cursor, const std::vector<DmaPiece>& pieces,
                          std::uint64_t bytes) {
        cursor.advance(pieces, scaled(course.skippedBytes, course.bytes, bytes),
                       state_.banks.burstBytes(), [](std::uint64_t, std::uint64_t) {});
    };
    skip(flow.reads, course.reads, course.readBytes);
    skip(flow.writes, course.writes, course.writeBytes);
}

std::array<DramBanks::Ticks, BankedSchedule::kFlows> BankedSchedule::predict() {
    future_ = state_;
    serve(future_, kNoRequest);
    std::array<Ticks, kFlows> arrivals{};
    for (std::size_t i = 0; i < kFlows; ++i) {
        arrivals[i] = future_.flows[i].arrivalTick;
    }
    return arrivals;
}

void BankedSchedule::serve(State& state, Ticks beforeTick) const {
    while (serveNext(state, beforeTick)) {
    }
}

DramBanks::Ticks BankedSchedule::backgroundRequest(const State& state) const {
    return backgroundPeriod_ == 0 ? kNoRequest : state.backgroundTick;
}

/// Admits one unit if that happens before `beforeTick`.
bool BankedSchedule::serveNext(State& state, Ticks beforeTick) const {
    Ticks request = kNoRequest;
    for (const Flow& flow : state.flows) {
        request = flow.bytesLeft != 0 ? std::min(request, flow.requestTick) : request;
    }
    if (request == kNoRequest) {
        return false;
    }
    const Ticks room = std::max(state.banks.roomTick(), state.interconnectFree);
    if (backgroundRequest(state) < request) {
        skipBackground(state, request);
        request = std::min(request, state.backgroundTick);
    }
    const Ticks tick = std::max(room, request);
    if (tick >= beforeTick) {
        return false;
    }
    const std::size_t chosen = choose(state, tick);
    if (chosen == kBackgroundFlow) {
        serveBackground(state, tick);
    } else if (state.flows[chosen].tableReads < courses_[chosen].tableReads.size()) {
        serveTableRead(state, chosen, tick);
    } else {
        serveUnit(state, chosen, tick);
    }
    return true;
}

/// The flow whose unit enters the queue at `tick`.
std::size_t BankedSchedule::choose(const State& state, Ticks tick) const {
    std::size_t chosen = kBackgroundFlow;
    Ticks turn = backgroundRequest(state) <= tick ? state.backgroundTick : kNoRequest;
    for (std::size_t i = 0; i < kFlows; ++i) {
        const Flow& flow = state.flows[i];
        if (flow.bytesLeft == 0 || flow.requestTick > tick) {
            continue;
        }
        if (i == urgentFlow_) {
            return i;
        }
        if (flow.turnTick < turn || (flow.turnTick == turn && chosen == kBackgroundFlow)) {
            turn = flow.turnTick;
            chosen = i;
        }
    }
    return chosen;
}

void BankedSchedule::serveTableRead(State& state, std::size_t index, Ticks tick) const {
    const Course& course = courses_[index];
    Flow& flow = state.flows[index];
    const std::uint64_t address = course.tableReads[flow.tableReads++];
    const Ticks finish = state.banks.access(address, 1, false, tick);
    flow.requestTick = flow.turnTick = flow.arrivalTick = finish + course.tableLatency;
}

void BankedSchedule::serveUnit(State& state, std::size_t index, Ticks tick) const {
    const Course& course = courses_[index];
    Flow& flow = state.flows[index];
    const std::uint64_t done = course.bytes - flow.bytesLeft;
    const std::uint64_t ofChunk = (done - course.skippedBytes) % chunkBytes_;
    const std::uint64_t bytes = std::min({unitBytes_, chunkBytes_ - ofChunk, flow.bytesLeft});
    flow.bytesLeft -= bytes;
    state.interconnectFree = std::max(state.interconnectFree, tick) +
                             ticksOf(interconnectTicksPerByte_, bytes * course.passes);
    const Ticks pace = tick + ticksOf(course.ticksPerByte, bytes);
    flow.arrivalTick = std::max({flow.arrivalTick, pace, moveData(state, index, tick)});
    flow.requestTick = pace;
    if (ofChunk + bytes == chunkBytes_) {
        flow.turnTick = flow.requestTick;
    }
}

/// Accesses the addresses of the bytes up to the flow's present position. A chunk is read in its
/// first half and written in its second one if there is both.
DramBanks::Ticks BankedSchedule::moveData(State& state, std::size_t index, Ticks tick) const {
    const Course& course = courses_[index];
    Flow& flow = state.flows[index];
    std::uint64_t readEnd = course.bytes - flow.bytesLeft;
    std::uint64_t writeEnd = readEnd;
    if (course.readBytes != 0 && course.writeBytes != 0 && flow.bytesLeft != 0) {
        const std::uint64_t ofChunk = (readEnd - course.skippedBytes) % chunkBytes_;
        const std::uint64_t begin = readEnd - ofChunk;
        readEnd = std::min(begin + std::min(chunkBytes_, 2 * ofChunk), course.bytes);
        writeEnd = begin + (2 * ofChunk > chunkBytes_ ? 2 * ofChunk - chunkBytes_ : 0);
    }
    Ticks finish = tick;
    const auto move = [&](PieceCursor& cursor, const std::vector<DmaPiece>& pieces,
                          std::uint64_t bytes, std::uint64_t end, bool isWrite) {
        cursor.advance(pieces, scaled(end, course.bytes, bytes), state.banks.burstBytes(),
                       [&](std::uint64_t address, std::uint64_t count) {
                           finish = std::max(finish,
                                             state.banks.access(address, count, isWrite, tick));
                       });
    };
    move(flow.reads, course.reads, course.readBytes, readEnd, false);
    move(flow.writes, course.writes, course.writeBytes, writeEnd, true);
    return finish;
}

void BankedSchedule::serveBackground(State& state, Ticks tick) const {
    state.banks.access(state.backgroundAddress, unitBytes_, false, tick);
    state.backgroundAddress += unitBytes_;
    // Users that a busy DRAM delays stop asking, so that what they wait for stays bounded.
    const Ticks longest = kKeptRequests * backgroundPeriod_;
    state.backgroundTick =
            std::max(state.backgroundTick + backgroundPeriod_, tick > longest ? tick - longest : 0);
}

/// Leaves out requests before `beforeTick` that an idle DRAM has served long ago; the last few may
/// still matter.
void BankedSchedule::skipBackground(State& state, Ticks beforeTick) const {
    const std::uint64_t requests = (beforeTick - state.backgroundTick) / backgroundPeriod_;
    if (requests > kKeptRequests && state.banks.roomTick() <= state.backgroundTick) {
        state.backgroundTick += (requests - kKeptRequests) * backgroundPeriod_;
        state.backgroundAddress += (requests - kKeptRequests) * unitBytes_;
    }
}

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/device_forecast.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "hw_model/regs/check.h"

namespace vnpu::driver {

using Time = DeviceForecast::Time;

void DeviceForecast::advance(State& state, Time by) {
    if (!state.entries.empty()) {
        state.entries[state.running].executed += by;
    }
}

DeviceForecast::State DeviceForecast::at(Time now) const {
    State state = state_;
    advance(state, std::max(now - last_, Time(0)));
    return state;
}

/// Whether both get equal parts of the time, one quantum after the other.
bool DeviceForecast::sharesWith(const Entry& a, const Entry& b) const {
    if (options_.strategy == Strategy::kQueues ||
        (a.job.uid == b.job.uid && a.job.halPriority == b.job.halPriority)) {
        return false;  // jobs of one ring run one after the other
    }
    const DevicePriority ofA = devicePriority(a.job.halPriority, options_);
    const DevicePriority ofB = devicePriority(b.job.halPriority, options_);
    const std::uint64_t quantum = options_.quantumCycles[static_cast<std::size_t>(ofA.band)];
    switch (options_.policy) {
        case fw::Policy::kRoundRobin:
            return quantum != 0;
        case fw::Policy::kBands:
            return quantum != 0 && ofA.band == ofB.band && ofA.level == ofB.level;
        default:
            return false;
    }
}

bool DeviceForecast::comesBefore(const Entry& a, const Entry& b, const State& state) const {
    const auto turn = [&](const Entry& entry) { return entry.job.uid - state.lastUid - 1; };
    const auto deadline = [](const Entry& entry) {
        return entry.job.deadline.value_or(Time::max());
    };
    const auto laxity = [&](const Entry& entry) {
        return entry.job.deadline ? *entry.job.deadline - entry.left() : Time::max();
    };
    if (options_.strategy == Strategy::kQueues) {
        return std::tuple(turn(a), ~a.job.halPriority, a.id) <
               std::tuple(turn(b), ~b.job.halPriority, b.id);
    }
    switch (options_.policy) {
        case fw::Policy::kFirstCome:
            return a.id < b.id;
        case fw::Policy::kShortestFirst:
            return std::pair(a.left(), a.id) < std::pair(b.left(), b.id);
        case fw::Policy::kEarliestDeadline:
            return std::pair(deadline(a), a.id) < std::pair(deadline(b), b.id);
        case fw::Policy::kLeastLaxity:
            return std::pair(laxity(a), a.id) < std::pair(laxity(b), b.id);
        case fw::Policy::kRoundRobin:
            return std::tuple(turn(a), a.id) < std::tuple(turn(b), b.id);
        case fw::Policy::kTokens:  // tokens grow with priority; those of one are served short first
            return std::tuple(~a.job.halPriority, a.left(), a.id) <
                   std::tuple(~b.job.halPriority, b.left(), b.id);
        case fw::Policy::kBands:
            break;
    }
    // Bands and levels both rise with the HAL's priority; each has turns of its own.
    const auto turnWithin = [&](const Entry& entry) {
        return entry.job.uid - state.lastUidOf.at(std::min(entry.job.halPriority, 2U)) - 1;
    };
    return std::tuple(~a.job.halPriority, turnWithin(a), a.id) <
           std::tuple(~b.job.halPriority, turnWithin(b), b.id);
}

std::size_t DeviceForecast::best(const State& state) const {
    const auto found = std::min_element(
            state.entries.begin(), state.entries.end(),
            [&](const Entry& a, const Entry& b) { return comesBefore(a, b, state); });
    return static_cast<std::size_t>(found - state.entries.begin());
}

void DeviceForecast::insert(State& state, Entry entry) const {
    entry.isAlone = state.entries.empty();
    for (Entry& other : state.entries) {
        other.isAlone = false;
    }
    state.entries.push_back(std::move(entry));
    Entry& arrived = state.entries.back();
    if (state.entries.size() == 1) {
        arrived.extra = arrived.job.overhead;
        state.running = 0;
        state.beginTurn(arrived.job);
        return;
    }
    Entry& running = state.entries[state.running];
    const bool isRestart = options_.mechanism == fw::Mechanism::kRestart;
    const bool mayPreempt = options_.strategy != Strategy::kQueues &&
                            options_.mechanism != fw::Mechanism::kNone &&
                            !(isRestart && running.restarts == fw::kMaxRestarts);
    // Turns change when jobs end or have had their quantum.
    const bool isBetter = options_.policy == fw::Policy::kBands
                                  ? arrived.job.halPriority > running.job.halPriority
                                  : options_.policy != fw::Policy::kRoundRobin &&
                                            comesBefore(arrived, running, state);
    if (!mayPreempt || !isBetter) {
        return;
    }
    if (isRestart) {
        running.executed = Time(0);
        ++running.restarts;
    } else {
        arrived.extra = std::min(running.job.yield, running.left());
    }
    arrived.extra += arrived.job.overhead;
    state.running = state.entries.size() - 1;
    state.beginTurn(arrived.job);
}

void DeviceForecast::erase(State& state, std::size_t index) const {
    const bool wasRunning = index == state.running;
    state.entries.erase(state.entries.begin() + static_cast<std::ptrdiff_t>(index));
    if (state.running > index) {
        --state.running;
    }
    if (wasRunning && !state.entries.empty()) {
        state.running = best(state);
        state.beginTurn(state.entries[state.running].job);
    }
}

/// Plays the jobs to the end of one of them.
Time DeviceForecast::finish(State state, std::uint64_t id, Time now) const {
    while (!state.entries.empty()) {
        const auto target = std::find_if(state.entries.begin(), state.entries.end(),
                                         [&](const Entry& entry) { return entry.id == id; });
        VNPU_CHECK(target != state.entries.end(), "who asks has the job's number");
        const Entry& running = state.entries[state.running];
        if (sharesWith(running, *target) || running.id == id) {
            Time shared{};
            for (const Entry& entry : state.entries) {
                shared += entry.id == id || !sharesWith(entry, *target)
                                  ? Time(0)
                                  : std::min(entry.left(), target->left());
            }
            return now + shared + target->left();
        }
        now += running.left();
        erase(state, state.running);
    }
    return now;
}

void DeviceForecast::setOptions(const SchedulingOptions& options) {
    const std::lock_guard guard(mutex_);
    options_ = options;
}

Time DeviceForecast::finishIf(const Job& job, Time now) const {
    const std::lock_guard guard(mutex_);
    State state = at(now);
    insert(state, {.job = job, .id = kAsked});
    return finish(std::move(state), kAsked, now);
}

std::uint64_t DeviceForecast::add(const Job& job, Time now) {
    const std::lock_guard guard(mutex_);
    state_ = at(now);
    last_ = std::max(last_, now);
    insert(state_, {.job = job, .id = ++lastId_});
    return lastId_;
}

bool DeviceForecast::remove(std::uint64_t id, Time now) {
    const std::lock_guard guard(mutex_);
    state_ = at(now);
    last_ = std::max(last_, now);
    const auto found = std::find_if(state_.entries.begin(), state_.entries.end(),
                                    [&](const Entry& entry) { return entry.id == id; });
    VNPU_CHECK(found != state_.entries.end(), "each job is removed once");
    const bool wasAlone = found->isAlone;
    erase(state_, static_cast<std::size_t>(found - state_.entries.begin()));
    return wasAlone;
}

Time DeviceForecast::finishOf(std::uint64_t id, Time now) const {
    const std::lock_guard guard(mutex_);
    return finish(at(now), id, now);
}

std::vector<std::uint64_t> DeviceForecast::aheadOf(const Job& job, Time now) const {
    const std::lock_guard guard(mutex_);
    State state = at(now);
    std::vector<std::uint64_t> known;
    for (const Entry& entry : state.entries) {
        known.push_back(entry.id);
    }
    insert(state, {.job = job, .id = kAsked});
    const Time end = finish(state, kAsked, now);
    known.erase(std::remove_if(known.begin(), known.end(),
                               [&](std::uint64_t id) { return finish(state, id, now) > end; }),
                known.end());
    return known;
}

}  // namespace vnpu::driver

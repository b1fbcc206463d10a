// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/device_forecast.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "driver/control/job_queue.h"
#include "hw_model/regs/check.h"

namespace vnpu::driver {

using Time = DeviceForecast::Time;

DeviceForecast::State DeviceForecast::at(Time now) const {
    State state = state_;
    if (!state.entries.empty()) {
        state.entries[state.running].executed += std::max(now - last_, Time(0));
    }
    return state;
}

/// A job in the policy's terms, in nanoseconds. Bands and levels both rise with the HAL's priority,
/// so the band alone represents it. The forecast does not know how long jobs have waited: tokens
/// are those of the band.
fw::Candidate DeviceForecast::candidateOf(const Entry& entry) {
    const auto count = [](Time time) { return static_cast<std::uint64_t>(time.count()); };
    fw::Candidate candidate;
    candidate.band = 1 + priorityIndex(entry.job);
    candidate.arrival = entry.id;
    candidate.remaining = count(entry.left());
    candidate.deadline = entry.job.deadline ? count(std::max(*entry.job.deadline, Time(1))) : 0;
    return candidate;
}

std::pair<fw::Rank, fw::Rank> DeviceForecast::ranksOf(const Entry& a, const Entry& b) const {
    const std::array<fw::Candidate, 2> pair = {candidateOf(a), candidateOf(b)};
    const fw::Queue queue{.candidates = pair};
    return {policy().rankOf(pair[0], queue), policy().rankOf(pair[1], queue)};
}

/// Whether both get equal parts of the time, one quantum after the other.
bool DeviceForecast::sharesWith(const Entry& a, const Entry& b) const {
    if (options_.strategy == Strategy::kQueue || policy().turns == fw::Turns::kNone ||
        (a.job.uid == b.job.uid && a.job.halPriority == b.job.halPriority)) {
        return false;  // jobs of one ring run one after the other
    }
    const fw::PriorityBand band = devicePriority(a.job.halPriority, options_).band;
    const auto [rankOfA, rankOfB] = ranksOf(a, b);
    return options_.quantumCycles[static_cast<std::size_t>(band)] != 0 && rankOfA == rankOfB;
}

/// UIDs take turns by rising number: the number of UIDs before this job's.
std::uint32_t DeviceForecast::turnOf(const Entry& entry, const State& state) const {
    switch (policy().turns) {
        case fw::Turns::kWithinBand:
            return entry.job.uid - state.lastUidOf[priorityIndex(entry.job)] - 1;
        case fw::Turns::kAcrossBands:
            return entry.job.uid - state.lastUid - 1;
        case fw::Turns::kNone:
            break;
    }
    return 0;
}

bool DeviceForecast::comesBefore(const Entry& a, const Entry& b, const State& state) const {
    if (options_.strategy == Strategy::kQueue) {
        const auto place = [&](const Entry& entry) {
            return std::pair(queueRank(entry.job.uid, entry.job.halPriority, state.lastUid),
                             entry.id);
        };
        return place(a) < place(b);
    }
    const auto [rankOfA, rankOfB] = ranksOf(a, b);
    return std::tuple(rankOfA, turnOf(a, state), a.id) <
           std::tuple(rankOfB, turnOf(b, state), b.id);
}

std::size_t DeviceForecast::best(const State& state) const {
    const auto found = std::min_element(state.entries.begin(), state.entries.end(),
                                        [&](const Entry& a, const Entry& b) VNPU_REQUIRES(mutex_) {
                                            return comesBefore(a, b, state);
                                        });
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
    const bool mayPreempt = options_.strategy != Strategy::kQueue &&
                            options_.mechanism != fw::Mechanism::kNone &&
                            !(isRestart && running.restarts == fw::kMaxRestarts);
    // Among jobs of equal rank turns change only when one ends or has had its quantum.
    const auto [rankOfArrived, rankOfRunning] = ranksOf(arrived, running);
    if (!mayPreempt || rankOfArrived >= rankOfRunning) {
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

/// Simulates the jobs until one of them ends.
Time DeviceForecast::finish(State state, std::uint64_t id, Time now) const {
    while (!state.entries.empty()) {
        const auto target = std::find_if(state.entries.begin(), state.entries.end(),
                                         [&](const Entry& entry) { return entry.id == id; });
        VNPU_CHECK(target != state.entries.end(), "the caller has the number of a present job");
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
    const MutexLock guard(mutex_);
    options_ = options;
}

Time DeviceForecast::finishIf(const Job& job, Time now) const {
    const MutexLock guard(mutex_);
    State state = at(now);
    insert(state, {.job = job, .id = kAsked});
    return finish(std::move(state), kAsked, now);
}

std::uint64_t DeviceForecast::add(const Job& job, Time now) {
    const MutexLock guard(mutex_);
    state_ = at(now);
    last_ = std::max(last_, now);
    insert(state_, {.job = job, .id = ++lastId_});
    return lastId_;
}

bool DeviceForecast::remove(std::uint64_t id, Time now) {
    const MutexLock guard(mutex_);
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
    const MutexLock guard(mutex_);
    return finish(at(now), id, now);
}

std::vector<std::uint64_t> DeviceForecast::aheadOf(const Job& job, Time now) const {
    const MutexLock guard(mutex_);
    State state = at(now);
    std::vector<std::uint64_t> known;
    for (const Entry& entry : state.entries) {
        known.push_back(entry.id);
    }
    insert(state, {.job = job, .id = kAsked});
    const Time end = finish(state, kAsked, now);
    std::erase_if(known, [&](std::uint64_t id)
                                 VNPU_REQUIRES(mutex_) { return finish(state, id, now) > end; });
    return known;
}

}  // namespace vnpu::driver

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

namespace {

UserAccounts::Users usersOf(const auto& entries) {
    UserAccounts::Users users;
    for (const auto& entry : entries) {
        users.insert(entry.job.uid);
    }
    return users;
}

}  // namespace

Time DeviceForecast::slice() const {
    constexpr Time kLeast =
            std::chrono::microseconds(10);  // chosen: bounds the steps of a forecast
    const std::chrono::duration<double> slice(static_cast<double>(options_.appSliceCycles) /
                                              static_cast<double>(clockHz_));
    return std::max(std::chrono::duration_cast<Time>(slice), kLeast);
}

DeviceForecast::State DeviceForecast::at(Time now) const {
    State state = state_;
    for (Time left = now - last_; left > Time(0) && !state.entries.empty();) {
        const Time step = std::min(left, turnLeft(state));
        run(state, step);
        left -= step;
        if (left > Time(0)) {
            endTurn(state);
        }
    }
    return state;
}

/// How long the running job keeps the device from those of other UIDs.
Time DeviceForecast::turnLeft(const State& state) const {
    const Entry& running = state.entries[state.running];
    return hasAccounts() && mayPreempt(running)
                   ? state.accounts.turnLeft(running.job.uid, usersOf(state.entries), slice())
                   : Time::max();
}

void DeviceForecast::run(State& state, Time time) const {
    Entry& running = state.entries[state.running];
    running.executed += time;
    running.hasBegun |= time > Time(0);
    if (hasAccounts()) {
        state.accounts.charge(running.job.uid, time, usersOf(state.entries));
    }
}

/// With restarts a job that loses the device also loses its progress, if it has begun.
void DeviceForecast::loseDevice(Entry& running) const {
    if (options_.mechanism == fw::Mechanism::kRestart && running.hasBegun) {
        running.executed = Time(0);
        ++running.restarts;
    }
}

/// The device, which has all these jobs, begins or continues the best one by itself.
void DeviceForecast::takeNext(State& state) const {
    state.running = best(state);
    state.entries[state.running].hasBegun = true;
    state.beginTurn(state.entries[state.running].job);
}

/// The running job loses the device to another UID's.
void DeviceForecast::endTurn(State& state) const {
    loseDevice(state.entries[state.running]);
    takeNext(state);
}

bool DeviceForecast::mayPreempt(const Entry& running) const {
    const bool isRestart = options_.mechanism == fw::Mechanism::kRestart;
    return options_.strategy != Strategy::kQueue && options_.mechanism != fw::Mechanism::kNone &&
           !(isRestart && running.restarts == fw::kMaxRestarts);
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
    if (options_.strategy != Strategy::kDevice || policy().turns == fw::Turns::kNone ||
        (a.job.uid == b.job.uid && a.job.halPriority == b.job.halPriority)) {
        return false;  // jobs of one ring run one after the other
    }
    const fw::PriorityBand band = devicePriority(a.job.halPriority, options_).band;
    const auto [rankOfA, rankOfB] = ranksOf(a, b);
    return options_.quantumCycles[static_cast<std::size_t>(band)] != 0 && rankOfA == rankOfB;
}

/// UIDs take turns by rising number: the number of UIDs before this job's. With kApps the jobs
/// that are compared have one UID.
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
    if (hasAccounts() && a.job.uid != b.job.uid) {
        const auto place = [&](const Entry& entry) {
            return std::pair(state.accounts.of(entry.job.uid), entry.job.uid);
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
    if (hasAccounts() && !usersOf(state.entries).contains(entry.job.uid)) {
        state.accounts.onReturn(entry.job.uid, slice());
    }
    for (Entry& other : state.entries) {
        other.isAlone = false;
    }
    state.entries.push_back(entry);
    Entry& arrived = state.entries.back();
    if (state.entries.size() == 1) {
        arrived.extra = arrived.job.overhead;
        state.running = 0;
        state.beginTurn(arrived.job);
        return;
    }
    Entry& running = state.entries[state.running];
    // Among jobs of equal rank turns change only when one ends or has had its quantum.
    const auto [rankOfArrived, rankOfRunning] = ranksOf(arrived, running);
    const bool goesFirst = hasAccounts() && arrived.job.uid != running.job.uid
                                   ? turnLeft(state) == Time(0)
                                   : rankOfArrived < rankOfRunning;
    if (!goesFirst || !mayPreempt(running)) {
        return;
    }
    if (options_.mechanism != fw::Mechanism::kRestart) {
        arrived.extra = std::min(running.job.yield, running.left());
    }
    loseDevice(running);
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
        takeNext(state);
    }
}

/// Simulates the jobs until the one with this number ends.
Time DeviceForecast::finish(State state, std::uint64_t id, Time now) const {
    while (!state.entries.empty()) {
        const auto target = std::find_if(state.entries.begin(), state.entries.end(),
                                         [&](const Entry& entry) { return entry.id == id; });
        VNPU_CHECK(target != state.entries.end(), "the caller has the number of a present job");
        const Entry& running = state.entries[state.running];
        const Time turn = turnLeft(state);
        if (turn < running.left()) {
            run(state, turn);
            now += turn;
            endTurn(state);
            continue;
        }
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
        run(state, running.left());
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

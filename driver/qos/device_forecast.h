// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "driver/control/scheduling.h"
#include "driver/port/mutex.h"
#include "driver/qos/deadline.h"
#include "driver/qos/user_accounts.h"
#include "firmware/api/policies.h"

namespace vnpu::driver {

/// A model of the accepted jobs: which one runs, and when each will end. It knows the jobs' arrival
/// and end and the firmware's policy (firmware/api/policies.h); invisible effects (a quantum's
/// phase, tokens, memory contention) count as even. Times are device time. Any thread.
class DeviceForecast {
  public:
    using Time = std::chrono::nanoseconds;

    struct Job {
        std::uint32_t uid = 0;
        std::uint32_t halPriority = 0;
        Time service{};   // on an otherwise idle device
        Time overhead{};  // of submission and completion, hidden behind earlier jobs
        Time yield{};     // from a preemption request to its completion
        Deadline deadline;
    };

    DeviceForecast(const SchedulingOptions& options, std::uint64_t clockHz)
        : clockHz_(clockHz), options_(options) {}

    /// Scheduling options that hold from now on.
    void setOptions(const SchedulingOptions& options);

    /// The end of the job if it arrived now.
    Time finishIf(const Job& job, Time now) const;

    /// Adds a job and returns its number.
    std::uint64_t add(const Job& job, Time now);

    /// Removes a job; returns whether it met no other job.
    bool remove(std::uint64_t id, Time now);

    /// The expected end of the job.
    Time finishOf(std::uint64_t id, Time now) const;

    /// The present jobs that would end before this one if it arrived now.
    std::vector<std::uint64_t> aheadOf(const Job& job, Time now) const;

  private:
    struct Entry {
        Job job;
        std::uint64_t id = 0;  // rises with arrival
        Time executed{};
        Time extra{};  // in addition to the service time
        std::uint32_t restarts = 0;
        bool hasBegun = false;  // on the device; a job that has just arrived has not
        bool isAlone = true;

        Time left() const { return std::max(job.service + extra - executed, Time(0)); }
    };
    /// The jobs and the running one.
    struct State {
        std::vector<Entry> entries;                // in the order of arrival
        std::size_t running = 0;                   // if there are any
        std::uint32_t lastUid = 0;                 // of the last job that had a turn
        std::array<std::uint32_t, 3> lastUidOf{};  // likewise, by HAL priority
        UserAccounts accounts;                     // with kApps

        void beginTurn(const Job& job) {
            lastUid = job.uid;
            lastUidOf[priorityIndex(job)] = job.uid;
        }
    };

    bool hasAccounts() const VNPU_REQUIRES(mutex_) { return options_.strategy == Strategy::kApps; }
    Time slice() const VNPU_REQUIRES(mutex_);
    bool mayPreempt(const Entry& running) const VNPU_REQUIRES(mutex_);
    Time turnLeft(const State& state) const VNPU_REQUIRES(mutex_);
    void run(State& state, Time time) const VNPU_REQUIRES(mutex_);
    void loseDevice(Entry& running) const VNPU_REQUIRES(mutex_);
    void takeNext(State& state) const VNPU_REQUIRES(mutex_);
    void endTurn(State& state) const VNPU_REQUIRES(mutex_);
    void insert(State& state, Entry entry) const VNPU_REQUIRES(mutex_);
    void erase(State& state, std::size_t index) const VNPU_REQUIRES(mutex_);
    std::size_t best(const State& state) const VNPU_REQUIRES(mutex_);
    bool comesBefore(const Entry& a, const Entry& b, const State& state) const
            VNPU_REQUIRES(mutex_);
    bool sharesWith(const Entry& a, const Entry& b) const VNPU_REQUIRES(mutex_);
    std::uint32_t turnOf(const Entry& entry, const State& state) const VNPU_REQUIRES(mutex_);
    const fw::PolicyRow& policy() const VNPU_REQUIRES(mutex_) { return fw::rowOf(options_.policy); }
    static fw::Candidate candidateOf(const Entry& entry);
    std::pair<fw::Rank, fw::Rank> ranksOf(const Entry& a, const Entry& b) const
            VNPU_REQUIRES(mutex_);
    static std::uint32_t priorityIndex(const Job& job) { return std::min(job.halPriority, 2U); }
    Time finish(State state, std::uint64_t id, Time now) const VNPU_REQUIRES(mutex_);
    static constexpr std::uint64_t kAsked = UINT64_MAX;  // number of a job that has not arrived
    State at(Time now) const VNPU_REQUIRES(mutex_);

    const std::uint64_t clockHz_;
    mutable Mutex mutex_ VNPU_LOCK_RANK(80);
    SchedulingOptions options_ VNPU_GUARDED_BY(mutex_);
    State state_ VNPU_GUARDED_BY(mutex_);
    Time last_ VNPU_GUARDED_BY(mutex_){};  // the time up to which `executed` counts
    std::uint64_t lastId_ VNPU_GUARDED_BY(mutex_) = 0;
};

}  // namespace vnpu::driver

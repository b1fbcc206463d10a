// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "driver/api/scheduling.h"
#include "driver/qos/deadline.h"
#include "firmware/api/policies.h"

namespace vnpu::driver {

/// Predicts which of the accepted jobs the device executes and when each will be finished, from
/// their arrivals and ends and from the firmware's policy (firmware/api/policies.h). What it cannot
/// see (a quantum's phase, tokens gained, memory contention) it takes for even. Times are device
/// time. Any thread.
class DeviceForecast {
  public:
    using Time = std::chrono::nanoseconds;

    struct Job {
        std::uint32_t uid = 0;
        std::uint32_t halPriority = 0;
        Time service{};   // of the device, when it is at this job alone
        Time overhead{};  // of handing it over and taking it back, which earlier jobs hide
        Time yield{};     // from being asked to make way to having done so
        Deadline deadline;
    };

    explicit DeviceForecast(const SchedulingOptions& options) : options_(options) {}

    /// When the job would be finished if it came now.
    Time finishIf(const Job& job, Time now) const;

    /// Returns the job's number.
    std::uint64_t add(const Job& job, Time now);

    /// Whether it had the device to itself all the time.
    bool remove(std::uint64_t id, Time now);

    /// When the job is expected to be finished.
    Time finishOf(std::uint64_t id, Time now) const;

    /// Of the jobs under way, those that would be finished before this one if it came now.
    std::vector<std::uint64_t> aheadOf(const Job& job, Time now) const;

  private:
    struct Entry {
        Job job;
        std::uint64_t id = 0;  // rises with arrival
        Time executed{};
        Time extra{};  // beside the service, before it or behind
        std::uint32_t restarts = 0;
        bool isAlone = true;

        Time left() const { return std::max(job.service + extra - executed, Time(0)); }
    };
    /// The jobs and which of them the device is at.
    struct State {
        std::vector<Entry> entries;                // in the order of arrival
        std::size_t running = 0;                   // if there are any
        std::uint32_t lastUid = 0;                 // of the job that had its turn last
        std::array<std::uint32_t, 3> lastUidOf{};  // likewise, by HAL priority

        void beginTurn(const Job& job) {
            lastUid = job.uid;
            lastUidOf[priorityIndex(job)] = job.uid;
        }
    };

    static void advance(State& state, Time by);
    void insert(State& state, Entry entry) const;
    void erase(State& state, std::size_t index) const;
    std::size_t best(const State& state) const;
    bool comesBefore(const Entry& a, const Entry& b, const State& state) const;
    bool sharesWith(const Entry& a, const Entry& b) const;
    std::uint32_t turnOf(const Entry& entry, const State& state) const;
    const fw::PolicyRow& policy() const { return fw::rowOf(options_.policy); }
    static fw::Candidate candidateOf(const Entry& entry);
    std::pair<fw::Rank, fw::Rank> ranksOf(const Entry& a, const Entry& b) const;
    static std::uint32_t priorityIndex(const Job& job) { return std::min(job.halPriority, 2U); }
    Time finish(State state, std::uint64_t id, Time now) const;
    static constexpr std::uint64_t kAsked = UINT64_MAX;  // number of a job that has not come
    State at(Time now) const;

    const SchedulingOptions options_;
    mutable std::mutex mutex_;  // guards what follows; rank 80
    State state_;
    Time last_{};  // until when `executed` counts
    std::uint64_t lastId_ = 0;
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <vector>

namespace vnpu::driver {

/// Judges refused executions: would they have met their deadline? Such an execution would have
/// begun when the last job before it ended, and taken as long as the next execution of the same
/// model. Not thread-safe.
class RefusalLedger {
  public:
    using Time = std::chrono::nanoseconds;

    /// `model` is an identity only. Beyond kMaxEntries the oldest entry is dropped.
    void add(const void* model, Time deadline, std::vector<std::uint64_t> jobsBefore, Time now);
    void onEnd(std::uint64_t job, Time now);

    /// Given the time of an execution of `model` on an idle device, returns the number of refused
    /// ones that would have met their deadline, and drops them.
    std::uint64_t judge(const void* model, Time took);

    static constexpr std::size_t kMaxEntries =
            64;  // chosen: a burst of refusals between two answers

  private:
    struct Entry {
        const void* model = nullptr;
        Time deadline{};
        std::vector<std::uint64_t> jobsBefore;
        Time begin{};
    };
    std::deque<Entry> entries_;
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace vnpu::driver {

/// Finds out of executions that were refused for their deadline whether they would have met it:
/// they would have begun when the last of the jobs before them ended, and taken what the next
/// execution of the same model takes. Not for several threads.
class RefusalLedger {
  public:
    using Time = std::chrono::nanoseconds;

    /// `model` is a name only. Beyond kMaxEntries the oldest is forgotten.
    void add(const void* model, Time deadline, std::vector<std::uint64_t> jobsBefore, Time now);
    void onEnd(std::uint64_t job, Time now);

    /// An execution of `model` took so long on an idle device: how many of those refused would have
    /// met their deadline. They are forgotten then.
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

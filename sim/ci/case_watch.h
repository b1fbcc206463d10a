// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace vnpu::sim {

/// Watches that no case takes longer than a limit, on a thread of its own.
class CaseWatch {
  public:
    /// `onLate` is called on the watching thread, again after each further limit if the case goes
    /// on.
    CaseWatch(std::chrono::nanoseconds limit, std::function<void()> onLate);
    /// Does not return before a running `onLate` has.
    ~CaseWatch();
    CaseWatch(const CaseWatch&) = delete;
    CaseWatch& operator=(const CaseWatch&) = delete;

    /// A case begins, and the one before ends. Any thread.
    void begin();
    /// No case is running. Any thread.
    void end();

  private:
    void watch();

    const std::chrono::nanoseconds limit_;
    const std::function<void()> onLate_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::uint64_t number_ = 0;  // of the case, rises with every begin and end
    bool isRunning_ = false;
    bool isOver_ = false;
    std::thread thread_;
};

}  // namespace vnpu::sim

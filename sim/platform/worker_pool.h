// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "driver/result.h"

namespace vnpu::sim {

/// Threads for work that may wait for a long time. Each piece of work starts immediately on an idle
/// or a new thread, because pieces may wait for one another. Any thread.
class WorkerPool {
  public:
    WorkerPool() = default;
    /// Calls drain().
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// RESOURCE_EXHAUSTED_TRANSIENT if there is no idle thread and the process can have no new one;
    /// the work then never runs.
    [[nodiscard]] driver::Result<void> post(std::function<void()> work);
    /// Waits until all posted work is done, including work that this work posts. Not to be called
    /// from posted work.
    void drain();

  private:
    void serve();

    std::mutex mutex_;  // guards the rest; a leaf
    std::condition_variable arrived_;
    std::condition_variable drained_;
    std::deque<std::function<void()>> work_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;  // threads that wait for work, or are about to
    std::size_t unfinished_ = 0;
    bool isEnding_ = false;
};

}  // namespace vnpu::sim

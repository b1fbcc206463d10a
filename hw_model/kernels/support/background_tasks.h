// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {

/// Functions that oneTBB's workers call at some later time. wait() calls, on the caller's thread,
/// those that no worker has taken yet.
class WorkerTasks {
  public:
    /// The number of other threads; 0: functions run only in wait().
    static std::size_t workers() {
        return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) - 1;
    }

    template <typename Function>
    void run(Function&& function) {
        group_.run(std::forward<Function>(function));
    }
    void wait() { group_.wait(); }

  private:
    tbb::task_group group_;
};

/// The same with one plain thread per function, for ThreadSanitizer builds (parallel_tasks.h).
class ThreadTasks {
  public:
    static std::size_t workers() { return 1; }

    template <typename Function>
    void run(Function&& function) {
        const std::lock_guard lock(mutex_);
        threads_.emplace_back(std::forward<Function>(function));
    }
    void wait() {
        while (true) {
            std::vector<std::jthread> threads;
            {
                const std::lock_guard lock(mutex_);
                threads.swap(threads_);
            }
            if (threads.empty()) {
                return;
            }
        }
    }

  private:
    std::mutex mutex_;
    std::vector<std::jthread> threads_;
};

using BackgroundTasks = std::conditional_t<kIsThreadSanitized, ThreadTasks, WorkerTasks>;

}  // namespace vnpu::hw::kernels

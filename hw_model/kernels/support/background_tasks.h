// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

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
    void run(Function function) {
        const std::lock_guard lock(mutex_);
        // Detached, because threads to be joined in wait() would add up: a device that works
        // without interruption waits only at its end.
        std::thread([this, call = std::move(function)] {
            call();
            const std::lock_guard endLock(mutex_);
            --running_;
            ended_.notify_all();
        }).detach();
        ++running_;
    }
    void wait() {
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [&] { return running_ == 0; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t running_ = 0;  // functions that have not ended
};

using BackgroundTasks = std::conditional_t<kIsThreadSanitized, ThreadTasks, WorkerTasks>;

}  // namespace vnpu::hw::kernels

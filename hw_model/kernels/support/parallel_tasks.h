// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

namespace vnpu::hw::kernels {

/// Work, in multiply-accumulates or operations of that cost, below which waking other threads costs
/// more than it saves.
inline constexpr std::uint64_t kParallelOperations = 700'000;  // chosen: 7 us of one core

/// While such an object exists, its thread runs all tasks that it starts itself.
class OneThread {
  public:
    OneThread() : before_(std::exchange(flag(), true)) {}
    ~OneThread() { flag() = before_; }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

    static bool isAlone() { return flag(); }

  private:
    static bool& flag() {
        thread_local bool isAlone = false;
        return isAlone;
    }

    bool before_;
};

/// Whether this many operations are worth several threads.
inline bool isShared(std::uint64_t operations) {
    return operations >= kParallelOperations && !OneThread::isAlone();
}

/// Calls function(task) for every task below `count` on oneTBB workers. The caller takes part but,
/// while it waits, runs no unrelated tasks, so that its thread's scratch memory stays intact.
template <typename Function>
void runOnWorkers(std::size_t count, const Function& function) {
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, count, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (std::size_t task = range.begin(); task != range.end(); ++task) {
                        function(task);
                    }
                },
                tbb::simple_partitioner());
    });
}

/// The same on two plain threads, for ThreadSanitizer builds: oneTBB's library is not instrumented,
/// so the sanitizer cannot see how it synchronizes threads; this way it checks tasks against each
/// other.
template <typename Function>
void runOnTwoThreads(std::size_t count, const Function& function) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t task = next++; task < count; task = next++) {
            function(task);
        }
    };
    std::thread other(work);
    work();
    other.join();
}

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kIsThreadSanitized = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kIsThreadSanitized = true;
#else
inline constexpr bool kIsThreadSanitized = false;
#endif
#else
inline constexpr bool kIsThreadSanitized = false;
#endif

/// Calls function(task) for every task below `count`, on several threads if `operations` are worth
/// it. Tasks must not depend on each other.
template <typename Function>
void forEachTask(std::size_t count, std::uint64_t operations, const Function& function) {
    if (count <= 1 || !isShared(operations)) {
        for (std::size_t task = 0; task < count; ++task) {
            function(task);
        }
    } else if constexpr (kIsThreadSanitized) {
        runOnTwoThreads(count, function);
    } else {
        runOnWorkers(count, function);
    }
}

}  // namespace vnpu::hw::kernels

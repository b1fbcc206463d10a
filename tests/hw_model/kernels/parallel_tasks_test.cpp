// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/parallel_tasks.h"

#include <doctest/doctest.h>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include <atomic>
#include <thread>
#include <vector>

namespace vnpu::test {

using hw::kernels::forEachTask;
using hw::kernels::kParallelOperations;

namespace {

void spinUntil(const std::atomic<bool>& flag) {
    while (!flag) {
        std::this_thread::yield();
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/parallel_tasks");

TEST_CASE("every task runs once, alone or on workers [E-4]") {
    for (const std::uint64_t operations : {std::uint64_t{1}, 10 * kParallelOperations}) {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
            std::vector<std::atomic<int>> runs(count);
            forEachTask(count, operations, [&](std::size_t task) { ++runs[task]; });
            for (const std::atomic<int>& run : runs) {
                REQUIRE(run == 1);
            }
        }
    }
}

TEST_CASE("a waiting caller runs no unrelated task [E-4]") {
    if (hw::kernels::kIsThreadSanitized) {
        return;  // such builds use plain threads
    }
    // Three threads: one offers foreign tasks until the end, one executes a long task of ours, and
    // the caller waits for that task while the foreign ones are available.
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
    tbb::task_arena arena(3);
    std::atomic<int> foreignOnCaller = 0;
    arena.execute([&] {
        const std::thread::id caller = std::this_thread::get_id();
        std::atomic<bool> isOffered = false;
        std::atomic<bool> isDone = false;
        std::atomic<bool> isSecondStarted = false;
        tbb::task_group group;
        group.run([&] {
            tbb::task_group foreign;
            for (int i = 0; i < 10'000; ++i) {
                foreign.run([&] {
                    foreignOnCaller += !isDone && std::this_thread::get_id() == caller ? 1 : 0;
                });
            }
            isOffered = true;
            spinUntil(isDone);
            foreign.wait();
        });
        spinUntil(isOffered);
        forEachTask(2, kParallelOperations, [&](std::size_t task) {
            if (task == 0) {
                spinUntil(isSecondStarted);
            } else {
                isSecondStarted = true;
                for (int i = 0; i < 20'000; ++i) {
                    std::this_thread::yield();  // gives the caller time to look for work
                }
            }
        });
        isDone = true;
        group.wait();
    });
    CHECK(foreignOnCaller == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::test

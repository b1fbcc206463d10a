// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/parallel_tasks.h"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

namespace vnpu::test {

using hw::kernels::forEachTask;
using hw::kernels::kParallelOperations;

TEST_SUITE("hw_model/kernels/parallel_tasks") {
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

    TEST_CASE("a waiting caller takes no task of others [E-4]") {
        // Each outer task marks its thread while it waits for its inner ones: no second outer task
        // may start there.
        std::atomic<int> nested = 0;
        thread_local bool isBusy = false;
        tbb::parallel_for(0, 64, [&](int) {
            nested += isBusy ? 1 : 0;
            isBusy = true;
            std::atomic<int> sum = 0;
            forEachTask(50, kParallelOperations, [&](std::size_t) {
                for (int i = 0; i < 1000; ++i) {
                    std::atomic_signal_fence(std::memory_order_seq_cst);  // some work
                }
                ++sum;
            });
            isBusy = false;
            nested += sum == 50 ? 0 : 1000;
        });
        CHECK(nested == 0);
    }
}

}  // namespace vnpu::test

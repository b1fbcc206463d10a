// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/worker_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <memory>
#include <set>
#include <thread>

namespace {

using vnpu::sim::WorkerPool;

}  // namespace

TEST_SUITE_BEGIN("sim/platform/worker_pool");

TEST_CASE("pieces of work may wait for one another [Q-2]") {
    WorkerPool pool;
    constexpr int kPieces = 16;
    std::promise<void> last;
    const std::shared_future<void> isLast = last.get_future().share();
    std::atomic<int> ended{0};
    for (int i = 0; i < kPieces; ++i) {
        pool.post([&ended, isLast] {
            isLast.wait();
            ++ended;
        });
    }
    pool.post([&last] { last.set_value(); });
    isLast.wait();
    pool.drain();
    CHECK(ended == kPieces);
}

TEST_CASE("all posted work is done before the end [Q-2]") {
    std::atomic<int> done{0};
    {
        WorkerPool pool;
        for (int i = 0; i < 100; ++i) {
            pool.post([&done] { ++done; });
        }
    }
    CHECK(done == 100);
}

TEST_CASE("an idle thread is reused [Q-2]") {
    WorkerPool pool;
    std::set<std::thread::id> threads;
    for (int i = 0; i < 50; ++i) {
        pool.post([&threads] { threads.insert(std::this_thread::get_id()); });
        pool.drain();
    }
    CHECK(threads.size() == 1);
}

TEST_CASE("a piece of work is destroyed on the thread that ran it [MP-6]") {
    const auto held = std::make_shared<int>(1);
    {
        WorkerPool pool;
        pool.post([held] {});
    }
    CHECK(held.use_count() == 1);
}

TEST_SUITE_END();

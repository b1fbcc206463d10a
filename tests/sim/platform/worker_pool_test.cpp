// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/worker_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "tests/support/no_more_threads.h"

namespace {

using vnpu::sim::WorkerPool;

void postTo(WorkerPool& pool, std::function<void()> work) {
    REQUIRE(pool.post(std::move(work)).has_value());
}

}  // namespace

TEST_SUITE_BEGIN("sim/platform/worker_pool");

TEST_CASE("pieces of work may wait for one another [Q-2]") {
    WorkerPool pool;
    constexpr int kPieces = 16;
    std::promise<void> last;
    const std::shared_future<void> isLast = last.get_future().share();
    std::atomic<int> ended{0};
    for (int i = 0; i < kPieces; ++i) {
        postTo(pool, [&ended, isLast] {
            isLast.wait();
            ++ended;
        });
    }
    postTo(pool, [&last] { last.set_value(); });
    isLast.wait();
    pool.drain();
    CHECK(ended == kPieces);
}

TEST_CASE("all posted work is done before the end [Q-2]") {
    std::atomic<int> done{0};
    {
        WorkerPool pool;
        for (int i = 0; i < 100; ++i) {
            postTo(pool, [&done] { ++done; });
        }
    }
    CHECK(done == 100);
}

TEST_CASE("an idle thread is reused [Q-2]") {
    WorkerPool pool;
    std::set<std::thread::id> threads;
    for (int i = 0; i < 50; ++i) {
        postTo(pool, [&threads] { threads.insert(std::this_thread::get_id()); });
        pool.drain();
    }
    CHECK(threads.size() == 1);
}

TEST_CASE("a piece of work is destroyed on the thread that ran it [MP-6]") {
    const auto held = std::make_shared<int>(1);
    {
        WorkerPool pool;
        postTo(pool, [held] {});
    }
    CHECK(held.use_count() == 1);
}

TEST_CASE("work for which there is no thread is refused and never runs [Q-6]") {
    WorkerPool pool;
    const auto runs = std::make_shared<std::atomic<int>>(0);
    const auto work = [runs] { ++*runs; };
    {
        const vnpu::test::NoMoreThreads noMore;
        const auto posted = pool.post(work);
        REQUIRE_FALSE(posted.has_value());
        CHECK(posted.error().status == vnpu::driver::ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    }
    CHECK(runs.use_count() == 2);  // here and in `work`
    pool.drain();                  // does not wait for the refused work
    postTo(pool, work);
    pool.drain();
    CHECK(*runs == 1);
    {
        const vnpu::test::NoMoreThreads noMore;
        postTo(pool, work);  // on the idle thread
        pool.drain();
    }
    CHECK(*runs == 2);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <latch>
#include <memory>
#include <thread>

#include "tests/hal/test_support.h"
#include "tests/support/no_more_threads.h"

namespace {

using vnpu::hal::rpc::EventLoop;
using vnpu::hal::rpc::Workers;

std::shared_ptr<Workers> makeWorkers() {
    auto workers = Workers::create();
    REQUIRE(workers.has_value());
    return *workers;
}

std::shared_ptr<EventLoop> makeLoop() {
    auto loop = EventLoop::create();
    REQUIRE(loop.has_value());
    return *loop;
}

/// Tasks of workers, each posted from the loop after the one before. The first waits until somebody
/// drains.
struct Relay {
    void passOn(int rounds) {
        workers->run([this, rounds] {
            isDraining.wait(false);
            ++done;
            if (rounds > 1) {
                loop->post([this, rounds] { passOn(rounds - 1); });
            }
        });
    }
    void drain() {
        isDraining = true;
        isDraining.notify_all();
        workers->drain(*loop);
    }

    const std::shared_ptr<Workers> workers = makeWorkers();
    const std::shared_ptr<EventLoop> loop = makeLoop();
    std::atomic<bool> isDraining = false;
    std::atomic<int> done = 0;
};

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/workers");

TEST_CASE("draining waits for the tasks that workers and loop hand to each other [E-5]") {
    Relay relay;
    relay.passOn(4);
    relay.drain();
    CHECK(relay.done == 4);
    relay.passOn(2);
    relay.drain();
    CHECK(relay.done == 6);
}

TEST_CASE("a task that drains its own workers does not wait for itself [E-5]") {
    const auto workers = makeWorkers();
    const auto loop = makeLoop();
    std::atomic<bool> isOver = false;
    workers->run([&] {
        workers->drain(*loop);
        isOver = true;
    });
    workers->drain(*loop);
    CHECK(isOver);
}

TEST_CASE("without a first thread there are no workers, and without its thread no loop [E-5]") {
    const vnpu::test::NoMoreThreads noMore;
    const auto workers = Workers::create();
    REQUIRE_FALSE(workers.has_value());
    CHECK(workers.error().find("no thread for calls: ") == 0);
    const auto loop = EventLoop::create();
    REQUIRE_FALSE(loop.has_value());
    CHECK(loop.error().find("no thread for an event loop: ") == 0);
}

TEST_CASE("the idle threads are there from the start, and no call adds to them [E-5]") {
    const auto workers = makeWorkers();
    const auto loop = makeLoop();
    const std::size_t atRest = vnpu::hal::test::settledThreadCount();
    // As many tasks at once as threads are kept: each waits for the others.
    std::barrier everybody(4);
    std::latch done(4);
    for (int i = 0; i < 4; ++i) {
        workers->run([&] {
            everybody.arrive_and_wait();
            done.count_down();
        });
    }
    done.wait();
    CHECK(vnpu::hal::test::settledThreadCount() == atRest);
    workers->drain(*loop);
}

TEST_CASE("without more threads the first ones do all tasks, also while they are drained [E-5]") {
    Relay relay;
    const vnpu::test::NoMoreThreads noMore;
    std::atomic<int> others = 0;
    relay.passOn(4);
    for (int i = 0; i < 8; ++i) {
        relay.workers->run([&] { ++others; });
    }
    relay.drain();
    CHECK(relay.done == 4);
    CHECK(others == 8);
}

TEST_CASE("a task after the end without a thread is dropped with its objects [E-5]") {
    const auto workers = makeWorkers();
    workers->drain(*makeLoop());
    const vnpu::test::NoMoreThreads noMore;
    const auto object = std::make_shared<int>(0);
    workers->run([object] { ++*object; });
    CHECK(object.use_count() == 1);
    CHECK(*object == 0);
}

TEST_SUITE_END();

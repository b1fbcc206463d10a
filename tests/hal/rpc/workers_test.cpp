// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using vnpu::hal::rpc::EventLoop;
using vnpu::hal::rpc::Workers;

/// `rounds` tasks of workers, each posted from the loop after the one before.
void passOn(Workers& workers, EventLoop& loop, int rounds, std::atomic<int>& done) {
    workers.run([&workers, &loop, rounds, &done] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ++done;
        if (rounds > 1) {
            loop.post(
                    [&workers, &loop, rounds, &done] { passOn(workers, loop, rounds - 1, done); });
        }
    });
}

}  // namespace

TEST_SUITE_BEGIN("hal/rpc/workers");

TEST_CASE("draining waits for the tasks that workers and loop hand to each other [E-5]") {
    Workers workers;
    EventLoop loop;
    std::atomic<int> done = 0;
    passOn(workers, loop, 4, done);
    workers.drain(loop);
    CHECK(done == 4);
    passOn(workers, loop, 2, done);
    workers.drain(loop);
    CHECK(done == 6);
}

TEST_CASE("a task that drains its own workers does not wait for itself [E-5]") {
    Workers workers;
    EventLoop loop;
    std::atomic<bool> isOver = false;
    workers.run([&] {
        workers.drain(loop);
        isOver = true;
    });
    workers.drain(loop);
    CHECK(isOver);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/workers.h"

#include <doctest/doctest.h>

#include <atomic>

namespace {

using vnpu::hal::rpc::EventLoop;
using vnpu::hal::rpc::Workers;

/// Tasks of workers, each posted from the loop after the one before. The first waits until somebody
/// drains.
struct Relay {
    void passOn(int rounds) {
        workers.run([this, rounds] {
            isDraining.wait(false);
            ++done;
            if (rounds > 1) {
                loop.post([this, rounds] { passOn(rounds - 1); });
            }
        });
    }
    void drain() {
        isDraining = true;
        isDraining.notify_all();
        workers.drain(loop);
    }

    Workers workers;
    EventLoop loop;
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

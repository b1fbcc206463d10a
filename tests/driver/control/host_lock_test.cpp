// SPDX-License-Identifier: Apache-2.0
#include "driver/control/host_lock.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "tests/driver/support/fake_device_port.h"

using vnpu::driver::HostLock;
using vnpu::driver::HostLockGuard;
using vnpu::driver::test::FakeDevicePort;

TEST_SUITE_BEGIN("driver/control/host_lock");

TEST_CASE("waiters get the lock in the order of their requests [E-4]") {
    FakeDevicePort port;
    HostLock lock(port);
    std::vector<int> order;
    std::vector<std::thread> threads;
    lock.lock();
    for (int i = 0; i < 5; ++i) {
        threads.emplace_back([&, i] {
            const HostLockGuard guard(lock);
            order.push_back(i);
        });
        port.awaitWaiters(i + 1);
    }

    lock.unlock();
    for (std::thread& thread : threads) {
        thread.join();
    }

    CHECK_EQ(order, std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("a free lock is taken without waiting [E-4]") {
    FakeDevicePort port;
    HostLock lock(port);
    const auto before = port.now();
    int taken = 0;
    for (int i = 0; i < 3; ++i) {
        const HostLockGuard guard(lock);
        ++taken;
    }
    lock.lock();
    lock.unlock();
    CHECK_EQ(taken, 3);
    CHECK_EQ(port.now(), before);
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "driver/control/job_queue.h"

#include <doctest/doctest.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/driver/support/fake_device_port.h"

namespace vnpu::driver::test {

TEST_SUITE_BEGIN("driver/control/job_queue");

TEST_CASE("jobs run one at a time: UIDs in turn, within one the highest priority first [Q-3]") {
    FakeDevicePort port;
    JobQueue queue(port);
    REQUIRE(queue.enter(5, 0, {}));
    std::mutex mutex;
    std::vector<std::string> order;
    std::vector<std::thread> waiting;
    const auto add = [&](std::uint32_t uid, std::uint32_t priority, const char* name) {
        waiting.emplace_back([&, uid, priority, name] {
            CHECK(queue.enter(uid, priority, {}));
            {
                const std::lock_guard guard(mutex);
                order.emplace_back(name);
            }
            queue.leave();
        });
        port.awaitWaiters(static_cast<int>(waiting.size()));
    };
    add(5, 0, "5 low");
    add(5, 2, "5 high");
    add(9, 0, "9 low");
    add(2, 1, "2 medium");
    add(9, 1, "9 medium");
    queue.leave();
    for (std::thread& thread : waiting) {
        thread.join();
    }
    CHECK(order == std::vector<std::string>{"9 medium", "2 medium", "5 high", "9 low", "5 low"});
}

TEST_CASE("a job whose wait budget ends loses its place") {
    FakeDevicePort port;
    JobQueue queue(port);
    REQUIRE(queue.enter(1, 0, {}));
    int asked = 0;
    const WaitBudget budget = [&]() -> std::optional<std::chrono::nanoseconds> {
        return ++asked < 3 ? std::optional(std::chrono::nanoseconds(1000)) : std::nullopt;
    };
    CHECK_FALSE(queue.enter(2, 2, budget));
    CHECK_EQ(asked, 3);
    CHECK(port.now() == std::chrono::nanoseconds(2000));
    queue.leave();
    CHECK(queue.enter(3, 0, {}));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test

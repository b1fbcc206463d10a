// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmq/MessageQueue.h>

#include <thread>

#include "tests/hal/child_process.h"

namespace {

using android::NO_ERROR;
using android::hardware::EventFlag;
using android::hardware::kSynchronizedReadWrite;
using android::hardware::MessageQueue;
using vnpu::hal::test::ChildProcess;

using WordQueue = MessageQueue<uint32_t, kSynchronizedReadWrite>;

constexpr uint32_t kCount = 20000;

TEST_SUITE_BEGIN("hal/message_queue_blocking");

TEST_CASE("the bits of an uncontended write and read stay set, as libfmq leaves them") {
    WordQueue queue(4, true);
    REQUIRE(queue.getEventFlagWord() != nullptr);
    uint32_t value = 7;
    CHECK(queue.writeBlocking(&value, 1));
    CHECK(*queue.getEventFlagWord() == 2);  // not empty
    CHECK(queue.readBlocking(&value, 1));
    CHECK(*queue.getEventFlagWord() == 3);  // not full
}

TEST_CASE("waits for room and for messages, all the way through a small ring") {
    WordQueue queue(3, true);
    std::thread writer([&] {
        for (uint32_t i = 0; i < kCount; ++i) {
            REQUIRE(queue.writeBlocking(&i, 1));
        }
    });
    for (uint32_t i = 0; i < kCount; ++i) {
        uint32_t got = 0;
        REQUIRE(queue.readBlocking(&got, 1));
        REQUIRE(got == i);
    }
    writer.join();
}

TEST_CASE("two processes take turns [B-3]") {
    WordQueue there(4, true);
    WordQueue back(4, true);
    ChildProcess child([&] {
        WordQueue in(*there.getDesc(), false);
        WordQueue out(*back.getDesc(), false);
        for (uint32_t i = 0; i < kCount; ++i) {
            uint32_t value = 0;
            if (!in.readBlocking(&value, 1) || !out.writeBlocking(&value, 1)) {
                return 1;
            }
        }
        return 0;
    });
    for (uint32_t i = 0; i < kCount; ++i) {
        uint32_t got = 0;
        REQUIRE(there.writeBlocking(&i, 1));
        REQUIRE(back.readBlocking(&got, 1));
        REQUIRE(got == i);
    }
    CHECK(child.wait() == 0);
}

TEST_CASE("one flag of the caller's serves two queues") {
    std::atomic<uint32_t> word{0};
    EventFlag* flag = nullptr;
    REQUIRE(EventFlag::createEventFlag(&word, &flag) == NO_ERROR);
    WordQueue there(2);
    WordQueue back(2);
    std::thread peer([&] {
        uint32_t value = 0;
        CHECK(there.readBlocking(&value, 1, 0x1, 0x2, 0, flag));
        CHECK(back.writeBlocking(&value, 1, 0x4, 0x8, 0, flag));
    });
    uint32_t value = 5;
    CHECK(there.writeBlocking(&value, 1, 0x1, 0x2, 0, flag));
    CHECK(back.readBlocking(&value, 1, 0x4, 0x8, 0, flag));
    peer.join();
    CHECK(value == 5);
    EventFlag::deleteEventFlag(&flag);
}

TEST_CASE("ends when the time is over, and tries once more without time") {
    WordQueue queue(2, true);
    uint32_t values[3] = {1, 2, 3};
    uint32_t got = 0;
    CHECK_FALSE(queue.readBlocking(&got, 1, 1));
    CHECK_FALSE(queue.readBlocking(&got, 1, -1));
    CHECK(queue.writeBlocking(values, 2, 1));
    CHECK_FALSE(queue.writeBlocking(values, 1, 1));
    CHECK(queue.readBlocking(&got, 1, -1));
    CHECK(got == 1);
}

TEST_CASE("does not wait for what is impossible") {
    WordQueue queue(2, true);
    WordQueue mute(2);
    uint32_t values[3] = {};
    CHECK_FALSE(queue.writeBlocking(values, 3));
    CHECK_FALSE(queue.readBlocking(values, 3));
    CHECK_FALSE(queue.writeBlocking(nullptr, 1));
    CHECK_FALSE(queue.readBlocking(nullptr, 1));
    CHECK_FALSE(queue.writeBlocking(values, 1, 0, 2));
    CHECK_FALSE(queue.readBlocking(values, 1, 1, 0));
    CHECK_FALSE(mute.writeBlocking(values, 1));   // no event flag
    CHECK(queue.writeBlocking(values, 1, 1, 0));  // no thread to wake
    CHECK(*queue.getEventFlagWord() == 0);
    CHECK(queue.readBlocking(values, 0));
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmq/MessageQueue.h>

#include <numeric>
#include <type_traits>
#include <vector>

#include "tests/hal/child_process.h"
#include "tests/hal/test_support.h"

namespace {

using android::hardware::kSynchronizedReadWrite;
using android::hardware::kUnsynchronizedWrite;
using android::hardware::MessageQueue;
using vnpu::hal::test::ChildProcess;
using vnpu::hal::test::openFdCount;

using Queue = MessageQueue<uint16_t, kSynchronizedReadWrite>;
using Broadcast = MessageQueue<uint16_t, kUnsynchronizedWrite>;

struct Triple {
    uint32_t a = 0, b = 0, c = 0;
};
using TripleQueue = MessageQueue<Triple, kSynchronizedReadWrite>;

std::vector<uint16_t> numbers(size_t count, uint16_t first = 1) {
    std::vector<uint16_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

template <typename Q>
std::vector<uint16_t> readAll(Q& queue, size_t count) {
    std::vector<uint16_t> values(count);
    REQUIRE(queue.read(values.data(), count));
    return values;
}

// The positions of the counters in libfmq's layout.
template <typename Q>
std::atomic<uint64_t>& readCounterOf(Q& queue) {
    return *reinterpret_cast<std::atomic<uint64_t>*>(queue.getRingBufferPtr() - 16);
}
template <typename Q>
std::atomic<uint64_t>& writeCounterOf(Q& queue) {
    return *reinterpret_cast<std::atomic<uint64_t>*>(queue.getRingBufferPtr() - 8);
}

static_assert(!std::is_copy_constructible_v<Queue> && !std::is_default_constructible_v<Queue>);

TEST_SUITE_BEGIN("hal/message_queue");

TEST_CASE("an attached object reads what another writes [B-3]") {
    Queue writer(8);
    REQUIRE(writer.isValid());
    CHECK(writer.getQuantumCount() == 8);
    CHECK(writer.getQuantumSize() == 2);
    CHECK(writer.getEventFlagWord() == nullptr);
    CHECK(writer.availableToWrite() == 8);
    Queue reader(*writer.getDesc());
    REQUIRE(reader.isValid());

    const auto sent = numbers(5);
    CHECK(writer.write(sent.data(), 5));
    CHECK(reader.availableToRead() == 5);
    CHECK(reader.availableToWrite() == 3);
    CHECK(readAll(reader, 5) == sent);
    CHECK(reader.availableToRead() == 0);
}

TEST_CASE("transfers are all or nothing") {
    Queue queue(8);
    const auto sent = numbers(9);
    uint16_t got[9] = {};
    CHECK_FALSE(queue.write(sent.data(), 9));
    CHECK(queue.availableToRead() == 0);
    CHECK(queue.write(sent.data(), 8));
    CHECK_FALSE(queue.write(sent.data()));
    CHECK_FALSE(queue.read(got, 9));
    CHECK(queue.read(got, 3));
    CHECK_FALSE(queue.write(sent.data(), 4));
    CHECK_FALSE(queue.read(got, 6));
    CHECK(queue.availableToRead() == 5);
}

TEST_CASE("no messages always succeed, no data never does") {
    Queue queue(4);
    uint16_t value = 7;
    CHECK(queue.write(&value, 0));
    CHECK(queue.read(&value, 0));
    CHECK_FALSE(queue.write(nullptr, 0));
    CHECK_FALSE(queue.write(nullptr, 1));
    CHECK_FALSE(queue.read(nullptr, 0));
    CHECK(queue.availableToRead() == 0);
}

TEST_CASE("messages that wrap around stay intact for any size of the ring") {
    TripleQueue queue(7);
    uint32_t next = 0;
    uint32_t expected = 0;
    for (int round = 0; round < 100; ++round) {
        std::vector<Triple> sent(1 + static_cast<size_t>(round) % 7);
        for (Triple& triple : sent) {
            triple = {next, next + 1, next + 2};
            next += 3;
        }
        REQUIRE(queue.write(sent.data(), sent.size()));
        std::vector<Triple> got(sent.size());
        REQUIRE(queue.read(got.data(), got.size()));
        for (const Triple& triple : got) {
            REQUIRE(triple.a == expected);
            REQUIRE(triple.c == expected + 2);
            expected += 3;
        }
    }
}

TEST_CASE("the counters lie and count as libfmq's do: bytes, never reduced") {
    Queue queue(6);
    const auto sent = numbers(4);
    for (int i = 0; i < 5; ++i) {
        REQUIRE(queue.write(sent.data(), 4));
        REQUIRE(readAll(queue, 4) == sent);
    }
    CHECK(writeCounterOf(queue) == 40);
    CHECK(readCounterOf(queue) == 40);
}

TEST_CASE("follows its counter after another user has moved it") {
    Queue queue(6);
    const auto sent = numbers(6);
    REQUIRE(queue.write(sent.data(), 6));
    readCounterOf(queue) = 6;  // another reader took three
    CHECK(readAll(queue, 3) == std::vector<uint16_t>{4, 5, 6});
}

TEST_CASE("attaching empties the queue unless told otherwise") {
    Queue queue(4);
    const auto sent = numbers(2);
    REQUIRE(queue.write(sent.data(), 2));
    Queue keeper(*queue.getDesc(), false);
    CHECK(keeper.availableToRead() == 2);
    Queue resetter(*queue.getDesc());
    CHECK(keeper.availableToRead() == 0);
    CHECK(keeper.availableToWrite() == 4);
    CHECK(queue.write(sent.data(), 2));
    CHECK(readAll(keeper, 2) == sent);
}

TEST_CASE("begin returns the places of messages, commit advances") {
    Queue queue(8);
    Queue::MemTransaction place;
    const auto sent = numbers(6);
    REQUIRE(queue.write(sent.data(), 6));
    REQUIRE(readAll(queue, 6) == sent);

    REQUIRE(queue.beginWrite(5, &place));
    CHECK(place.getFirstRegion().getLength() == 2);
    CHECK(place.getFirstRegion().getLengthInBytes() == 4);
    CHECK(place.getSecondRegion().getLength() == 3);
    CHECK(place.getSecondRegion().getAddress() ==
          reinterpret_cast<uint16_t*>(queue.getRingBufferPtr()));
    CHECK(place.getSlot(1) == place.getFirstRegion().getAddress() + 1);
    CHECK(place.getSlot(2) == place.getSecondRegion().getAddress());
    CHECK(place.getSlot(5) == nullptr);
    CHECK(place.copyTo(sent.data(), 0, 5));
    CHECK(queue.availableToRead() == 0);
    CHECK(queue.commitWrite(4));
    CHECK(queue.availableToRead() == 4);

    REQUIRE(queue.beginRead(4, &place));
    uint16_t got[4] = {};
    CHECK(place.copyFrom(got, 1, 3));
    CHECK(got[0] == 2);
    CHECK(got[2] == 4);
    CHECK_FALSE(place.copyFrom(got, 2, 3));
    CHECK_FALSE(place.copyTo(nullptr, 0, 1));
    CHECK(queue.commitRead(4));
    CHECK(queue.availableToRead() == 0);
}

TEST_CASE("begin that fails returns no place, and commit is limited to the possible messages") {
    Queue queue(4);
    Queue::MemTransaction place(
            {queue.getDesc() == nullptr ? nullptr
                                        : reinterpret_cast<uint16_t*>(queue.getRingBufferPtr()),
             4},
            {});
    CHECK_FALSE(queue.beginRead(1, &place));
    CHECK(place.getFirstRegion().getAddress() == nullptr);
    CHECK(place.getSlot(0) == nullptr);
    CHECK_FALSE(queue.beginWrite(5, &place));
    CHECK_FALSE(queue.beginWrite(1, nullptr));
    CHECK_FALSE(queue.commitWrite(5));
    CHECK_FALSE(queue.commitWrite(SIZE_MAX / 2 + 1));
    CHECK_FALSE(queue.commitRead(1));
    CHECK(queue.availableToRead() == 0);
}

TEST_CASE("a queue that is not there refuses everything") {
    Queue queue(0);
    uint16_t value = 1;
    Queue::MemTransaction place;
    CHECK_FALSE(queue.isValid());
    CHECK(queue.getDesc() == nullptr);
    CHECK(queue.getEventFlagWord() == nullptr);
    CHECK(queue.getQuantumCount() == 0);
    CHECK(queue.availableToRead() == 0);
    CHECK(queue.availableToWrite() == 0);
    CHECK_FALSE(queue.write(&value, 0));
    CHECK_FALSE(queue.read(&value));
    CHECK_FALSE(queue.beginWrite(0, &place));
    CHECK_FALSE(queue.commitRead(0));
    CHECK_FALSE(queue.writeBlocking(&value, 1));
    CHECK_FALSE(Queue(SIZE_MAX).isValid());
    CHECK_FALSE(Queue(Queue::Descriptor()).isValid());
}

TEST_CASE("counters that a hostile peer sets fail every operation and lead nowhere else") {
    Queue queue(8, true);
    const auto sent = numbers(4);
    REQUIRE(queue.write(sent.data(), 4));
    struct Case {
        uint64_t readTo, writtenTo;
    };
    const Case cases[] = {{0, 18}, {8, 0}, {0, UINT64_MAX - 1},   {UINT64_MAX - 1, 16}, {1, 5},
                          {0, 7},  {3, 8}, {uint64_t{1} << 63, 4}};
    for (const Case& foul : cases) {
        CAPTURE(foul.readTo);
        CAPTURE(foul.writtenTo);
        readCounterOf(queue) = foul.readTo;
        writeCounterOf(queue) = foul.writtenTo;
        int reported = 0;
        queue.setErrorHandler([&](Queue::Error error, std::string&&) {
            CHECK(error == Queue::POINTER_CORRUPTION);
            ++reported;
        });
        uint16_t got[4] = {};
        Queue::MemTransaction place;
        CHECK(queue.availableToRead() == 0);
        CHECK(queue.availableToWrite() == 0);
        CHECK_FALSE(queue.write(sent.data(), 1));
        CHECK_FALSE(queue.read(got, 1));
        CHECK_FALSE(queue.beginWrite(1, &place));
        CHECK_FALSE(queue.beginRead(1, &place));
        CHECK_FALSE(queue.commitWrite(1));
        CHECK_FALSE(queue.commitRead(1));
        CHECK_FALSE(queue.readBlocking(got, 1));
        CHECK_FALSE(queue.writeBlocking(sent.data(), 1));
        CHECK(reported >= 6);
    }
    readCounterOf(queue) = 0;  // the peer repairs its counters
    writeCounterOf(queue) = 8;
    CHECK(readAll(queue, 4) == sent);
}

TEST_CASE("counters with very large values work like any others") {
    Queue queue(8);
    readCounterOf(queue) = UINT64_MAX - 15;
    writeCounterOf(queue) = UINT64_MAX - 15;
    const auto sent = numbers(8);
    CHECK(queue.write(sent.data(), 8));
    CHECK(readAll(queue, 8) == sent);
}

TEST_CASE("another process is a peer like any other [B-3]") {
    Queue queue(16);
    ChildProcess child([&] {
        Queue writer(*queue.getDesc(), false);
        for (uint16_t i = 0; i < 20000;) {
            i = static_cast<uint16_t>(i + (writer.write(&i) ? 1 : 0));
        }
        return 0;
    });
    for (uint16_t expected = 0; expected < 20000;) {
        uint16_t got = 0;
        if (queue.read(&got)) {
            REQUIRE(got == expected);
            ++expected;
        }
    }
    CHECK(child.wait() == 0);
}

TEST_CASE("a queue leaks no descriptor and no mapping") {
    const size_t before = openFdCount();
    {
        const Queue queue(8, true);
        const Queue attached(*queue.getDesc());
        CHECK(openFdCount() == before + 2);
    }
    CHECK(openFdCount() == before);
}

// ---- the unsynchronized flavor

TEST_CASE("each reader of a broadcast reads everything") {
    Broadcast writer(8);
    Broadcast one(*writer.getDesc(), false);
    Broadcast other(*writer.getDesc(), false);
    const auto sent = numbers(6);
    REQUIRE(writer.write(sent.data(), 6));
    CHECK(readAll(one, 6) == sent);
    CHECK(other.availableToRead() == 6);
    CHECK(readAll(other, 6) == sent);
}

TEST_CASE("a broadcast overwrites; a reader that was overtaken fails once and starts again") {
    Broadcast writer(8);
    Broadcast reader(*writer.getDesc(), false);
    const auto first = numbers(8);
    REQUIRE(writer.write(first.data(), 8));
    CHECK(reader.availableToRead() == 8);
    const auto second = numbers(3, 100);
    CHECK(writer.write(second.data(), 3));
    CHECK_FALSE(writer.write(numbers(9).data(), 9));
    CHECK(reader.availableToRead() == 8);  // never more than the ring holds
    uint16_t got = 0;
    CHECK_FALSE(reader.read(&got));
    CHECK(reader.availableToRead() == 0);
    CHECK(writer.write(second.data(), 3));
    CHECK(readAll(reader, 3) == second);
}

TEST_CASE("messages overwritten between begin and commit are not committed") {
    Broadcast writer(4);
    Broadcast reader(*writer.getDesc(), false);
    const auto sent = numbers(4);
    REQUIRE(writer.write(sent.data(), 4));
    Broadcast::MemTransaction place;
    REQUIRE(reader.beginRead(2, &place));
    REQUIRE(writer.write(sent.data(), 1));
    CHECK_FALSE(reader.commitRead(2));
    CHECK(reader.availableToRead() == 0);
}

TEST_CASE("a late reader reads the messages that remain") {
    Broadcast writer(4);
    const auto sent = numbers(3);
    REQUIRE(writer.write(sent.data(), 3));
    Broadcast late(*writer.getDesc(), false);
    CHECK(readAll(late, 3) == sent);
    REQUIRE(writer.write(sent.data(), 3));
    Broadcast later(*writer.getDesc(), false);
    uint16_t got = 0;
    CHECK_FALSE(later.read(&got));
}

TEST_CASE("a hostile writer's counter only fails a broadcast's reader") {
    Broadcast writer(8);
    Broadcast reader(*writer.getDesc(), false);
    uint16_t got = 0;
    for (const uint64_t foul : {uint64_t{3}, UINT64_MAX, uint64_t{1} << 62, uint64_t{17}}) {
        writeCounterOf(writer) = foul;
        CHECK_FALSE(reader.read(&got));
        CHECK(reader.availableToRead() <= 8);
        CHECK(writer.availableToWrite() <= 8);
    }
}

TEST_SUITE_END();

}  // namespace

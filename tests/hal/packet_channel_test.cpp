// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/packet_channel.h>

#include <thread>

#include "tests/hal/burst_support.h"

namespace {

using namespace vnpu::hal;
using namespace vnpu::hal::test;
using android::hardware::kSynchronizedReadWrite;
using android::hardware::MessageQueue;
using nn::V1_2::FmqRequestDatum;
using Channel = PacketChannel<FmqRequestDatum>;
using PacketQueue = MessageQueue<FmqRequestDatum, kSynchronizedReadWrite>;

RequestPacket packetOf(size_t size) {
    RequestPacket packet(size);
    for (size_t i = 0; i < size; ++i) {
        packet[i].poolIdentifier(static_cast<int32_t>(i));
    }
    return packet;
}

TEST_SUITE_BEGIN("hal/packet_channel");

TEST_CASE("a packet arrives whole [B-6]") {
    const auto sender = Channel::create(8);
    REQUIRE(sender.has_value());
    const auto receiver = Channel::attach((*sender)->descriptor());
    REQUIRE(receiver.has_value());
    CHECK_FALSE((*receiver)->tryReceive().has_value());
    CHECK((*sender)->send(packetOf(8)).has_value());
    const auto packet = (*receiver)->receive({});
    REQUIRE(packet.has_value());
    CHECK(packet->size() == 8);
    CHECK((*packet)[7].poolIdentifier() == 7);
    CHECK((*sender)->send(packetOf(3)).has_value());
    CHECK((*receiver)->tryReceive()->size() == 3);
}

RequestPacket sizedPacket(size_t size, uint32_t announced) {
    RequestPacket packet = packetOf(size);
    packet[0].packetInformation({announced, 0, 0, 0});
    return packet;
}

TEST_CASE("packets that wait together are received one by one [B-6]") {
    const auto channel = Channel::create(16);
    for (const uint32_t size : {3U, 2U, 4U}) {
        CHECK((*channel)->send(sizedPacket(size, size)).has_value());
    }
    CHECK((*channel)->tryReceive()->size() == 3);
    CHECK((*channel)->send(sizedPacket(5, 5)).has_value());
    CHECK((*channel)->receive({})->size() == 2);
    CHECK((*channel)->tryReceive()->size() == 4);
    CHECK((*channel)->tryReceive()->size() == 5);
    CHECK_FALSE((*channel)->tryReceive().has_value());
}

TEST_CASE("data that are not whole packets are received together, to be refused [B-6]") {
    const auto channel = Channel::create(16);
    for (const uint32_t announced : {0U, 1U, 2U, 4U, 0xFFFFFFFFU}) {
        CHECK((*channel)->send(sizedPacket(3, 3)).has_value());
        CHECK((*channel)->send(sizedPacket(3, announced)).has_value());
        CHECK((*channel)->tryReceive()->size() == 6);
    }
    CHECK((*channel)->send(sizedPacket(3, 3)).has_value());
    CHECK((*channel)->send(packetOf(3)).has_value());  // of another kind
    CHECK((*channel)->tryReceive()->size() == 6);
    CHECK_FALSE((*channel)->tryReceive().has_value());
}

TEST_CASE("a packet that does not fit is not sent, and nothing waits for room") {
    const auto channel = Channel::create(8);
    CHECK_FALSE((*channel)->send(packetOf(9)).has_value());
    CHECK((*channel)->send(packetOf(5)).has_value());
    CHECK_FALSE((*channel)->send(packetOf(4)).has_value());
    CHECK((*channel)->tryReceive()->size() == 5);
}

TEST_CASE("a sleeper wakes for a packet, whether it polled before or not") {
    for (const int window : {0, 50}) {
        const auto sender = Channel::create(8);
        const auto receiver = Channel::attach((*sender)->descriptor());
        std::thread listener([&] {
            CHECK((*receiver)->receive(std::chrono::microseconds(window))->size() == 2);
        });
        CHECK((*sender)->send(packetOf(2)).has_value());
        listener.join();
    }
}

TEST_CASE("closing ends the waiting, now and later") {
    const auto channel = Channel::create(8);
    std::thread listener([&] { CHECK_FALSE((*channel)->receive({}).has_value()); });
    (*channel)->close();
    listener.join();
    CHECK_FALSE((*channel)->isOpen());
    CHECK_FALSE((*channel)->receive({}).has_value());
    CHECK_FALSE((*channel)->send(packetOf(1)).has_value());
}

TEST_CASE("packets of libfmq's blocking calls are heard, and its writers woken") {
    PacketQueue writer(4, true);
    const auto receiver = Channel::attach(*writer.getDesc());
    REQUIRE(receiver.has_value());
    std::thread listener([&] {
        for (size_t got = 0; got < 30;) {
            const auto packet = (*receiver)->receive({});
            REQUIRE(packet.has_value());
            got += packet->size();
        }
    });
    const RequestPacket packet = packetOf(3);
    for (int i = 0; i < 10; ++i) {
        CHECK(writer.writeBlocking(packet.data(), packet.size()));
    }
    listener.join();
}

TEST_CASE("a channel without a flag, of too many data or of no queue is refused") {
    const PacketQueue mute(8);
    CHECK_FALSE(Channel::attach(*mute.getDesc()).has_value());
    const PacketQueue endless(Channel::kMaxLength + 1, true);
    CHECK_FALSE(Channel::attach(*endless.getDesc()).has_value());
    CHECK_FALSE(Channel::attach(Channel::Descriptor()).has_value());
    CHECK_FALSE(Channel::create(0).has_value());
}

TEST_CASE("corrupted counters end the channel, because they are no longer reliable") {
    PacketQueue peer(8, true);
    const auto receiver = Channel::attach(*peer.getDesc());
    reinterpret_cast<std::atomic<uint64_t>*>(peer.getRingBufferPtr())[-1] = uint64_t{24} * 9;
    CHECK_FALSE((*receiver)->receive({}).has_value());
    CHECK_FALSE((*receiver)->isOpen());
}

TEST_SUITE_END();

}  // namespace

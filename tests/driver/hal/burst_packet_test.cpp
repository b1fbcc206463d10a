// SPDX-License-Identifier: Apache-2.0
// The requirements of the HAL's own ValidateBurst, tested with a fake device.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/driver/support/burst_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace hal = vnpu::hal;
using nn::V1_2::FmqRequestDatum;
using nn::V1_2::FmqResultDatum;
using nn::V1_2::MeasureTiming;

TEST_SUITE_BEGIN("driver/hal/burst_packet");

namespace {

/// One datum of each kind, each invalid at every position.
std::vector<FmqRequestDatum> badData() {
    std::vector<FmqRequestDatum> bad(7);
    bad[0].packetInformation({10, 10, 10, 10});
    bad[1].inputOperandInformation({false, {}, 10});
    bad[2].inputOperandDimensionValue(0);
    bad[3].outputOperandInformation({false, {}, 10});
    bad[4].outputOperandDimensionValue(0);
    bad[5].poolIdentifier(INT32_MAX);
    bad[6].measureTiming(MeasureTiming::YES);
    return bad;
}

bool isSame(const FmqRequestDatum& one, const FmqRequestDatum& other) {
    return std::memcmp(&one, &other, sizeof(one)) == 0;
}

}  // namespace

TEST_CASE("a packet with any datum removed, added or replaced fails, and the burst goes on [B-5]") {
    const BurstService target;
    const BurstClient client(target);
    const hal::RequestPacket good = client.packet();
    const auto check = [&](const hal::RequestPacket& packet) {
        checkFailed(client.result(packet));
        CHECK_EQ(client.result(good).status, nn::V1_0::ErrorStatus::NONE);
    };
    for (std::size_t i = 0; i <= good.size(); ++i) {
        CAPTURE(i);
        const auto at = static_cast<std::ptrdiff_t>(i);
        if (i < good.size()) {
            hal::RequestPacket removed = good;
            removed.erase(removed.begin() + at);
            if (!removed.empty()) {
                check(removed);
            }
        }
        for (const FmqRequestDatum& bad : badData()) {
            hal::RequestPacket added = good;
            added.insert(added.begin() + at, bad);
            check(added);
            if (i < good.size() && !isSame(good[i], bad)) {
                hal::RequestPacket replaced = good;
                replaced[i] = bad;
                check(replaced);
            }
        }
    }
    CHECK(target.isOutputRight());
}

TEST_CASE("meaningless values fail, and the burst goes on [B-5]") {
    const BurstService target;
    const BurstClient client(target);
    const auto check = [&](const nn::V1_0::Request& request,
                           const std::vector<std::int32_t>& slots) {
        checkFailed(client.result(hal::serialize(request, MeasureTiming::YES, slots)));
    };
    nn::V1_0::Request request = client.request;
    check(request, {0, 2});
    check(request, {0, -1});
    check(request, {0});
    check({}, {0, 1});
    request.inputs[0].location.poolIndex = 2;
    check(request, {0, 1});
    request = client.request;
    request.inputs[0].location.offset = 1;
    check(request, {0, 1});
    request.inputs[0].location.offset = UINT32_MAX;
    check(request, {0, 1});
    request = client.request;
    request.inputs[0].dimensions = {2, 32};
    check(request, {0, 1});
    request = client.request;
    request.inputs = {request.inputs[0], request.inputs[0]};
    check(request, {0, 1});
    CHECK_EQ(client.result(client.packet()).status, nn::V1_0::ErrorStatus::NONE);
}

TEST_CASE("a result longer than its channel is an error and does not hang [B-5]") {
    const BurstService target;
    const BurstClient client(target, 4);  // the result has one datum more
    checkFailed(client.result(client.packet()));
    checkFailed(client.result(client.packet()));
    CHECK(target.isOutputRight());
}

TEST_CASE("no byte of the service is in the padding of its results [B-5]") {
    const BurstService target;
    const BurstClient client(target);
    const hal::ResultPacket packet = client.exchange(client.packet());
    REQUIRE_EQ(packet.size(), 5);
    const auto& information = packet[1].operandInformation();
    std::uint8_t bytes[4] = {};
    std::memcpy(bytes, &information, sizeof(bytes));
    CHECK_EQ(bytes[0], 1);
    CHECK_EQ(bytes[1] | bytes[2] | bytes[3], 0);
    for (const FmqResultDatum& datum : packet) {
        std::uint8_t head[8] = {};
        std::memcpy(head, &datum, sizeof(head));
        CHECK_EQ(head[1] | head[2] | head[3] | head[4] | head[5] | head[6] | head[7], 0);
    }
}

TEST_CASE("freeing a known, a freed or an unknown slot is allowed [B-2]") {
    const BurstService target;
    const BurstClient client(target);
    CHECK_EQ(client.result(client.packet()).status, nn::V1_0::ErrorStatus::NONE);
    for (const std::int32_t slot : {1, 1, 7, -1, INT32_MAX}) {
        CHECK(client.context->freeMemory(slot).isOk());
    }
    target.clearOutput();
    CHECK_EQ(client.result(client.packet()).status, nn::V1_0::ErrorStatus::NONE);
    CHECK(target.isOutputRight());
}

TEST_SUITE_END();

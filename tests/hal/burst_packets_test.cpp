// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/burst_packets.h>

#include <cstring>
#include <string>

#include "tests/hal/burst_support.h"

namespace {

using namespace vnpu::hal;
using namespace vnpu::hal::test;
using nn::V1_0::ErrorStatus;
using nn::V1_2::FmqRequestDatum;
using nn::V1_2::FmqResultDatum;
using nn::V1_2::MeasureTiming;
using RequestKind = FmqRequestDatum::hidl_discriminator;

RequestPacket measuredPacket() {
    return serialize(makeRequest(), MeasureTiming::YES, {7, -1});
}

void setByte(void* at, uint8_t value) {
    std::memcpy(at, &value, 1);
}

TEST_SUITE_BEGIN("hal/burst_packets");

TEST_CASE("a request is its information, inputs, outputs, pools and timing, in this order [B-5]") {
    const RequestPacket packet = measuredPacket();
    const RequestKind kinds[] = {RequestKind::packetInformation,
                                 RequestKind::inputOperandInformation,
                                 RequestKind::inputOperandDimensionValue,
                                 RequestKind::inputOperandDimensionValue,
                                 RequestKind::inputOperandInformation,
                                 RequestKind::outputOperandInformation,
                                 RequestKind::poolIdentifier,
                                 RequestKind::poolIdentifier,
                                 RequestKind::measureTiming};
    REQUIRE(packet.size() == std::size(kinds));
    for (size_t i = 0; i < packet.size(); ++i) {
        CHECK(packet[i].getDiscriminator() == kinds[i]);
    }
    CHECK(packet[0].packetInformation().packetSize == 9);
    CHECK(packet[0].packetInformation().numberOfInputOperands == 2);
    CHECK(packet[0].packetInformation().numberOfOutputOperands == 1);
    CHECK(packet[0].packetInformation().numberOfPools == 2);
    CHECK(packet[1].inputOperandInformation().location.offset == 4);
    CHECK(packet[3].inputOperandDimensionValue() == 3);
    CHECK(packet[4].inputOperandInformation().hasNoValue);
    CHECK(packet[5].outputOperandInformation().location.poolIndex == 1);
    CHECK(packet[7].poolIdentifier() == -1);
}

TEST_CASE("deserializing reverses serializing [B-5]") {
    const auto request = deserialize(measuredPacket());
    REQUIRE(request.has_value());
    REQUIRE(request->request.inputs.size() == 2);
    CHECK(request->request.inputs[0].dimensions == android::hardware::hidl_vec<uint32_t>({2, 3}));
    CHECK(request->request.inputs[0].location.length == 24);
    CHECK(request->request.inputs[1].hasNoValue);
    CHECK(request->request.outputs[0].dimensions.size() == 0);
    CHECK(request->slots == std::vector<int32_t>{7, -1});
    CHECK(request->measure == MeasureTiming::YES);

    const ResultPacket packet = serialize(makeResult());
    CHECK(packet.size() == 6);
    const auto result = deserialize(packet);
    REQUIRE(result.has_value());
    CHECK(result->status == ErrorStatus::NONE);
    CHECK(result->outputShapes == makeResult().outputShapes);
    CHECK(result->timing == makeResult().timing);
}

TEST_CASE("an empty request is a packet of two") {
    const auto request = deserialize(serialize({}, MeasureTiming::NO, {}));
    REQUIRE(request.has_value());
    CHECK(request->slots.empty());
}

TEST_CASE("a failure is two data without shapes or times") {
    const ResultPacket packet = serialize(BurstResult());
    REQUIRE(packet.size() == 2);
    CHECK(packet[0].packetInformation().errorStatus == ErrorStatus::GENERAL_FAILURE);
    CHECK(packet[0].packetInformation().numberOfOperands == 0);
    CHECK(packet[1].executionTiming().timeInDriver == UINT64_MAX);
}

TEST_CASE("padding contains no bytes of this process") {
    for (const FmqResultDatum& datum : serialize(makeResult())) {
        if (datum.getDiscriminator() == FmqResultDatum::hidl_discriminator::operandInformation) {
            uint8_t bytes[4] = {};
            std::memcpy(bytes, &datum.operandInformation(), sizeof(bytes));
            CHECK(bytes[0] == 1);
            CHECK((bytes[1] | bytes[2] | bytes[3]) == 0);
        }
    }
}

TEST_CASE("a request with a datum removed, doubled or of another kind is refused") {
    const RequestPacket good = measuredPacket();
    for (size_t i = 0; i < good.size(); ++i) {
        CAPTURE(i);
        RequestPacket removed = good;
        removed.erase(removed.begin() + static_cast<ptrdiff_t>(i));
        CHECK_FALSE(deserialize(removed).has_value());
        RequestPacket doubled = good;
        doubled.insert(doubled.begin() + static_cast<ptrdiff_t>(i), good[i]);
        CHECK_FALSE(deserialize(doubled).has_value());
        for (unsigned kind = 0; kind < 256; ++kind) {
            if (kind != good[i].memberIndex()) {
                RequestPacket other = good;
                setByte(&other[i], static_cast<uint8_t>(kind));
                CHECK_FALSE(deserialize(other).has_value());
            }
        }
    }
}

TEST_CASE("a request with false counts is refused") {
    struct Case {
        uint32_t size, inputs, outputs, pools;
    };
    const Case cases[] = {{10, 2, 1, 2},
                          {8, 2, 1, 2},
                          {9, 3, 1, 2},
                          {9, 2, 1, 1},
                          {9, UINT32_MAX, 1, 2},
                          {9, UINT32_MAX, UINT32_MAX, UINT32_MAX},
                          {9, 2, UINT32_MAX - 1, 2},
                          {9, 0, 0, 0}};
    for (const Case& wrong : cases) {
        RequestPacket packet = measuredPacket();
        packet[0].packetInformation({wrong.size, wrong.inputs, wrong.outputs, wrong.pools});
        CHECK_FALSE(deserialize(packet).has_value());
    }
    for (const uint32_t dimensions : {0U, 1U, 3U, 8U, UINT32_MAX}) {
        RequestPacket packet = measuredPacket();
        packet[1].inputOperandInformation().numberOfDimensions = dimensions;
        CHECK_FALSE(deserialize(packet).has_value());
    }
    CHECK_FALSE(deserialize(RequestPacket()).has_value());
}

TEST_CASE("invalid values of a type are refused") {
    RequestPacket packet = measuredPacket();
    setByte(&packet[1].inputOperandInformation().hasNoValue, 2);
    CHECK_FALSE(deserialize(packet).has_value());
    packet = measuredPacket();
    packet[8].measureTiming(static_cast<MeasureTiming>(2));
    CHECK_FALSE(deserialize(packet).has_value());
}

TEST_CASE("a result with false counts is refused") {
    const ResultPacket good = serialize(makeResult());
    for (size_t i = 0; i < good.size(); ++i) {
        CAPTURE(i);
        ResultPacket removed = good;
        removed.erase(removed.begin() + static_cast<ptrdiff_t>(i));
        CHECK_FALSE(deserialize(removed).has_value());
        ResultPacket other = good;
        setByte(&other[i], 200);
        CHECK_FALSE(deserialize(other).has_value());
    }
    ResultPacket packet = good;
    packet[0].packetInformation().numberOfOperands = UINT32_MAX;
    CHECK_FALSE(deserialize(packet).has_value());
    packet = good;
    packet[1].operandInformation().numberOfDimensions = UINT32_MAX;
    CHECK_FALSE(deserialize(packet).has_value());
    packet = good;
    packet[0].packetInformation().errorStatus = static_cast<ErrorStatus>(5);
    CHECK_FALSE(deserialize(packet).has_value());
    packet = good;
    packet[0].packetInformation().errorStatus = ErrorStatus::INVALID_ARGUMENT;  // with shapes
    CHECK_FALSE(deserialize(packet).has_value());
    packet = good;
    setByte(&packet[1].operandInformation().isSufficient, 77);
    CHECK_FALSE(deserialize(packet).has_value());
    CHECK_FALSE(deserialize(ResultPacket()).has_value());
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/burst_support.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace vnpu::driver::test {

BurstService::BurstService(Listener listener)
    : prepared(service.prepare(reluModel({1, kBytes}))), input(kBytes), output(kBytes) {
    REQUIRE_EQ(prepared.status, nn::V1_3::ErrorStatus::NONE);
    if (listener == Listener::kHostThread) {
        service.port.denySystemThreads();
    }
    for (std::uint32_t i = 0; i < kBytes; ++i) {
        input.bytes()[i] = static_cast<std::uint8_t>(3 * i);
    }
}

nn::V1_0::Request BurstService::request() const {
    nn::V1_0::Request request;
    request.inputs = {argument(0, 0, kBytes)};
    request.outputs = {argument(1, 0, kBytes)};
    request.pools = {input.memory, output.memory};
    return request;
}

bool BurstService::isOutputRight() const {
    return std::equal(input.bytes(), input.bytes() + kBytes, output.bytes());
}

void BurstService::clearOutput() const {
    std::fill_n(output.bytes(), kBytes, std::uint8_t{0});
}

BurstClient::BurstClient(const BurstService& target, std::size_t resultLength)
    : request(target.request()),
      requests(*hal::PacketChannel<nn::V1_2::FmqRequestDatum>::create(1024)),
      results(*hal::PacketChannel<nn::V1_2::FmqResultDatum>::create(resultLength)) {
    REQUIRE(callback->getSlots(request.pools, {100, 101}).has_value());
    const auto returned = target.prepared.model->configureExecutionBurst(
            callback, requests->descriptor(), results->descriptor(),
            [&](Hal10Status answer, const android::sp<nn::V1_2::IBurstContext>& given) {
                status = answer;
                context = given;
            });
    CHECK(returned.isOk());
    REQUIRE_EQ(status, Hal10Status::NONE);
    REQUIRE(context != nullptr);
}

hal::RequestPacket BurstClient::packet(nn::V1_2::MeasureTiming measure) const {
    return hal::serialize(request, measure, {0, 1});
}

hal::ResultPacket BurstClient::exchange(const hal::RequestPacket& packet) const {
    REQUIRE(requests->send(packet).has_value());
    auto answer = results->receive({});
    REQUIRE(answer.has_value());
    return std::move(*answer);
}

hal::BurstResult BurstClient::result(const hal::RequestPacket& packet) const {
    auto result = hal::deserialize(exchange(packet));
    REQUIRE(result.has_value());
    return std::move(*result);
}

void checkFailed(const hal::BurstResult& result) {
    CHECK_NE(result.status, Hal10Status::NONE);
    CHECK(result.outputShapes.empty());
    CHECK_EQ(result.timing.timeOnDevice, UINT64_MAX);
    CHECK_EQ(result.timing.timeInDriver, UINT64_MAX);
}

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <vnpu/hal/burst_callback.h>
#include <vnpu/hal/burst_controller.h>
#include <vnpu/hal/packet_channel.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/driver/support/service.h"

namespace vnpu::driver::test {

using Hal10Status = nn::V1_0::ErrorStatus;

/// A prepared RELU over 64 bytes, with pools for its executions in bursts.
struct BurstService {
    static constexpr std::uint32_t kBytes = 64;

    /// Listeners are threads of their own, or host threads of a port that has no others.
    enum class Listener { kSystemThread, kHostThread };

    explicit BurstService(Listener listener = Listener::kSystemThread);

    nn::V1_0::Request request() const;
    bool isOutputRight() const;
    void clearOutput() const;

    Service service;
    PrepareOutcome prepared;
    Pool input;
    Pool output;
};

/// The client's end of a burst, packet by packet.
struct BurstClient {
    explicit BurstClient(const BurstService& target, std::size_t resultLength = 1024);

    /// The packet of the target's request, with memory in slots 0 and 1.
    hal::RequestPacket packet(nn::V1_2::MeasureTiming measure = nn::V1_2::MeasureTiming::YES) const;
    /// The reply to a packet.
    hal::ResultPacket exchange(const hal::RequestPacket& packet) const;
    hal::BurstResult result(const hal::RequestPacket& packet) const;

    nn::V1_0::Request request;
    android::sp<hal::ExecutionBurstCallback> callback = new hal::ExecutionBurstCallback;
    std::unique_ptr<hal::PacketChannel<nn::V1_2::FmqRequestDatum>> requests;
    std::unique_ptr<hal::PacketChannel<nn::V1_2::FmqResultDatum>> results;
    Hal10Status status = Hal10Status::GENERAL_FAILURE;
    android::sp<nn::V1_2::IBurstContext> context;
};

void checkFailed(const hal::BurstResult& result);

}  // namespace vnpu::driver::test

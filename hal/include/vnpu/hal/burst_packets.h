// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

using RequestPacket = std::vector<android::hardware::neuralnetworks::V1_2::FmqRequestDatum>;
using ResultPacket = std::vector<android::hardware::neuralnetworks::V1_2::FmqResultDatum>;

/// The contents of a request packet.
struct BurstRequest {
    android::hardware::neuralnetworks::V1_0::Request request;  // without pools
    std::vector<int32_t> slots;                                // of the pools, in order
    android::hardware::neuralnetworks::V1_2::MeasureTiming measure{};
};

/// The contents of a result packet; by default those of a failed execution.
struct BurstResult {
    android::hardware::neuralnetworks::V1_0::ErrorStatus status =
            android::hardware::neuralnetworks::V1_0::ErrorStatus::GENERAL_FAILURE;
    std::vector<android::hardware::neuralnetworks::V1_2::OutputShape> outputShapes;
    android::hardware::neuralnetworks::V1_2::Timing timing{UINT64_MAX, UINT64_MAX};
};

/// Leaves out the pools of the request.
[[nodiscard]] RequestPacket serialize(
        const android::hardware::neuralnetworks::V1_0::Request& request,
        android::hardware::neuralnetworks::V1_2::MeasureTiming measure,
        const std::vector<int32_t>& slots);
[[nodiscard]] ResultPacket serialize(const BurstResult& result);

// Packets come from other processes. Any bytes are handled, and the reason of a failure names the
// faulty datum. A well-formed packet is not yet checked against a model.
[[nodiscard]] tl::expected<BurstRequest, std::string> deserialize(const RequestPacket& packet);
[[nodiscard]] tl::expected<BurstResult, std::string> deserialize(const ResultPacket& packet);

}  // namespace vnpu::hal

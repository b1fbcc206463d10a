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

/// What a request packet says.
struct BurstRequest {
    android::hardware::neuralnetworks::V1_0::Request request;  // has no pools, but
    std::vector<int32_t> slots;                                // these in their place
    android::hardware::neuralnetworks::V1_2::MeasureTiming measure{};
};

/// What a result packet says. As it stands: an execution that failed.
struct BurstResult {
    android::hardware::neuralnetworks::V1_0::ErrorStatus status =
            android::hardware::neuralnetworks::V1_0::ErrorStatus::GENERAL_FAILURE;
    std::vector<android::hardware::neuralnetworks::V1_2::OutputShape> outputShapes;
    android::hardware::neuralnetworks::V1_2::Timing timing{UINT64_MAX, UINT64_MAX};
};

/// The request's own pools do not go along.
[[nodiscard]] RequestPacket serialize(
        const android::hardware::neuralnetworks::V1_0::Request& request,
        android::hardware::neuralnetworks::V1_2::MeasureTiming measure,
        const std::vector<int32_t>& slots);
[[nodiscard]] ResultPacket serialize(const BurstResult& result);

// Packets come from other processes: any bytes get an answer, and the reason of a failure names the
// datum at fault. What fits a packet need not fit a model.
[[nodiscard]] tl::expected<BurstRequest, std::string> deserialize(const RequestPacket& packet);
[[nodiscard]] tl::expected<BurstResult, std::string> deserialize(const ResultPacket& packet);

}  // namespace vnpu::hal

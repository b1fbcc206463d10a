// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworksTypes.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/ndk/base/result.h"
#include "sim/ndk/device/device.h"

namespace vnpu::sim::ndk {

/// The devices of a caller's list. UNEXPECTED_NULL if one is null, BAD_DATA for an empty list and a
/// device that occurs twice.
Result<std::vector<std::shared_ptr<Device>>> devicesFrom(
        const ANeuralNetworksDevice* const* devices, std::uint32_t count);

/// UNEXPECTED_NULL for a type whose dimensions are null although it has some. The type may be null.
Result<void> checkType(const ANeuralNetworksOperandType* type);

}  // namespace vnpu::sim::ndk

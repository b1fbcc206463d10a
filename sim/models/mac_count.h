// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <span>

namespace vnpu::sim {

/// Multiply-accumulates of one operation of `graph` as papers count them: every filter tap of every
/// output element, padding included. Convolutions and fully connected layers only; 0 for all other
/// operations and for unknown dimensions. From the operation's second input and first output.
std::uint64_t operationMacs(android::hardware::neuralnetworks::V1_3::OperationType type,
                            std::span<const std::uint32_t> filter,
                            std::span<const std::uint32_t> output);
std::uint64_t operationMacs(const android::hardware::neuralnetworks::V1_3::Subgraph& graph,
                            const android::hardware::neuralnetworks::V1_3::Operation& operation);

/// Sum over all operations.
std::uint64_t countMacs(const android::hardware::neuralnetworks::V1_3::Subgraph& graph);

}  // namespace vnpu::sim

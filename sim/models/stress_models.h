// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/models/network.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

/// A tiny model whose result is known without a device: output 0 is computed from input 0, and from
/// input 1 if there is one. All tensors have the same size.
struct StressModel {
    Network network;
    std::uint32_t sizeBytes = 0;
    /// The correct bytes of the output for these inputs.
    std::vector<std::byte> (*expected)(std::span<const std::byte> a,
                                       std::span<const std::byte> b) = nullptr;
};

/// RELU and ADD of float32, RELU of quant8, which every version of the HAL has.
std::vector<StressModel> makeStressModels();

/// GATHER of float32, which runs on the DSP: output row i is input row (i + 5) modulo the rows.
Network makeGatherNetwork();

/// Input bytes of such a model, different for each seed. Floats are small integers, whose sums are
/// exact.
std::vector<std::byte> stressInput(const StressModel& model, std::uint64_t seed);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Cycles that `bytes` occupy a resource of `bytesPerCycle`, rounded up.
std::uint64_t transferCycles(double bytesPerCycle, std::uint64_t bytes);

/// Bytes that `rows` rows of `rowBytes` occupy the bus with: each row rounds up to a burst.
std::uint64_t busBytes(const DmaConfig& config, std::uint64_t rows, std::uint64_t rowBytes);

/// Closed form of an undisturbed DMA transfer between DRAM and SRAM:
/// start-up + DRAM and interconnect latency + bus bytes over the smallest bandwidth on the way
/// (channel, DRAM, interconnect, one SRAM port).
std::uint64_t dmaTransferCycles(const NpuConfig& config, std::uint64_t rows,
                                std::uint64_t rowBytes);

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/memory_timing.h"

#include <algorithm>
#include <cmath>

namespace vnpu::hw {

std::uint64_t transferCycles(double bytesPerCycle, std::uint64_t bytes) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) / bytesPerCycle));
}

std::uint64_t busBytes(const DmaConfig& config, std::uint64_t rows, std::uint64_t rowBytes) {
    const std::uint64_t burst = config.burstBytes;
    return rows * ((rowBytes + burst - 1) / burst * burst);
}

std::uint64_t dmaTransferCycles(const NpuConfig& config, std::uint64_t rows,
                                std::uint64_t rowBytes) {
    const double slowest =
            std::min({static_cast<double>(config.dma.bytesPerCycle), config.dram.bytesPerCycle,
                      static_cast<double>(config.interconnect.bytesPerCycle),
                      static_cast<double>(config.sram.portBytes)});
    return std::uint64_t{config.dma.startupCycles} + config.dram.latencyCycles +
           config.interconnect.latencyCycles +
           transferCycles(slowest, busBytes(config.dma, rows, rowBytes));
}

}  // namespace vnpu::hw

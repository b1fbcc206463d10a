// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Peak rates of a configuration, derived from its numbers.
struct DevicePeaks {
    double clockMhz = 0.0;
    std::uint64_t macsPerCycle = 0;
    double tops = 0.0;         // 8-bit, two operations per multiply-accumulate
    double floatTflops = 0.0;  // float32
    double vectorGops = 0.0;   // 8-bit elements a second, in 10^9
    double sramBytesPerCycle = 0.0;
    double sramGBps = 0.0;  // 10^9 bytes a second
    double dramBytesPerCycle = 0.0;
    double dramGBps = 0.0;
    double balanceMacsPerByte = 0.0;  // DRAM: work with fewer MACs per byte waits for memory
};

DevicePeaks devicePeaks(const hw::NpuConfig& config);

/// One line: "edge: 16 x 16 MACs (weight-stationary) at 1000 MHz, 0.512 TOPS, 512 KiB SRAM,
/// DRAM 3.75 GB/s".
std::string describeDevice(const hw::NpuConfig& config);

}  // namespace vnpu::sim

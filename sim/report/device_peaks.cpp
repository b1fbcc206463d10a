// SPDX-License-Identifier: Apache-2.0
#include "sim/report/device_peaks.h"

#include <fmt/format.h>

#include "hw_model/timing/config_fields.h"

namespace vnpu::sim {

DevicePeaks devicePeaks(const hw::NpuConfig& config) {
    const double clockHz = config.clockKhz * 1e3;
    DevicePeaks peaks;
    peaks.clockMhz = config.clockKhz * 1e-3;
    peaks.macsPerCycle = std::uint64_t{config.mac.rows} * config.mac.columns;
    peaks.tops = 2.0 * static_cast<double>(peaks.macsPerCycle) * clockHz * 1e-12;
    peaks.floatTflops = peaks.tops / config.mac.floatDivisor;
    peaks.vectorGops = config.vector.lanes8 * clockHz * 1e-9;
    peaks.sramBytesPerCycle = static_cast<double>(config.sram.banks) * config.sram.portBytes;
    peaks.sramGBps = peaks.sramBytesPerCycle * clockHz * 1e-9;
    peaks.dramBytesPerCycle = config.dram.bytesPerCycle;
    peaks.dramGBps = config.dram.bytesPerCycle * clockHz * 1e-9;
    peaks.balanceMacsPerByte = static_cast<double>(peaks.macsPerCycle) / config.dram.bytesPerCycle;
    return peaks;
}

std::string describeDevice(const hw::NpuConfig& config) {
    const DevicePeaks peaks = devicePeaks(config);
    return fmt::format(
            "{}: {} x {} MACs ({}) at {:g} MHz, {:.3g} TOPS, {} KiB SRAM, DRAM {:.4g} GB/s",
            config.name, config.mac.rows, config.mac.columns, nameOf(config.mac.dataflow),
            peaks.clockMhz, peaks.tops, config.sram.kib, peaks.dramGBps);
}

}  // namespace vnpu::sim

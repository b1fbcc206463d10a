// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>

#include "driver/port/device_info.h"
#include "hw_model/regs/sram_blocks.h"

namespace vnpu::driver::test {

/// A small device: 16 x 16 array, 512 KiB of SRAM, 4 bytes of DRAM per cycle.
inline DeviceInfo edgeDevice() {
    DeviceInfo info;
    info.archVersion = 0x00010002;
    info.commandStreamVersion = 2;
    info.isSimulated = true;
    info.macRows = 16;
    info.macColumns = 16;
    info.weightDoubleBuffer = true;
    info.floatDivisor = 4;
    info.outputLanes = 16;
    info.accumulatorBytes = std::uint64_t{64} * 1024;
    info.sramBytes = std::uint64_t{512} * 1024;
    info.sramBanks = 8;
    info.sramPortBytes = 32;
    info.vectorLanes8 = 32;
    info.vectorLanes32 = 8;
    info.dspLanes8 = 16;
    info.dspLanes32 = 4;
    info.dspMacs8 = 16;
    info.dspMacsFloat = 4;
    info.dspBytesPerCycle = 16;
    info.dmaChannels = 4;
    info.dmaBytesPerCycle = 16;
    info.loadsAhead = 16;
    info.dramBytesPerCycle = 4.0;
    info.dramLatencyCycles = 100;
    info.clockHz = 1'000'000'000;
    info.memoryBytes = 512ULL * 1024 * 1024;
    info.ringCount = 16;
    info.contextCount = 64;
    return info;
}

/// The same with memories so small that every operation has to be cut.
inline DeviceInfo tinyDevice(std::uint64_t sramBytes, std::uint64_t accumulatorBytes) {
    REQUIRE(sramBytes % hw::kSramBlockCount == 0);  // as on every device
    DeviceInfo info = edgeDevice();
    info.sramBytes = sramBytes;
    info.sramBanks = 4;
    info.accumulatorBytes = accumulatorBytes;
    info.macRows = 4;
    info.macColumns = 4;
    return info;
}

}  // namespace vnpu::driver::test

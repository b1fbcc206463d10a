// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "driver/port/device_port.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::driver {

/// The device's identity and configuration, read from its registers alone.
struct DeviceInfo {
    std::uint32_t archVersion = 0;
    std::uint32_t commandStreamVersion = 0;
    bool isSimulated = false;
    bool isTimingOnly = false;
    std::uint32_t macRows = 0;
    std::uint32_t macColumns = 0;
    std::uint32_t dataflow = 0;  // ConfigMac::kDataflow
    bool weightDoubleBuffer = false;
    bool winograd = false;
    bool tapsApart = false;  // a fold holds channels of one filter tap only
    std::uint32_t floatDivisor = 1;
    std::uint32_t outputLanes = 1;       // elements per cycle
    std::uint32_t depthwiseColumns = 0;  // channels in parallel in depthwise work; 0: macColumns
    std::uint64_t accumulatorBytes = 0;
    std::uint64_t sramBytes = 0;
    std::uint32_t sramBanks = 1;
    std::uint32_t sramPortBytes = 1;  // bytes per cycle and bank
    std::uint32_t vectorLanes8 = 1;
    std::uint32_t vectorLanes32 = 1;
    std::uint32_t dspLanes8 = 0;  // elements per cycle; all DSP fields are 0 without a DSP
    std::uint32_t dspLanes32 = 0;
    std::uint32_t dspMacs8 = 0;  // multiply-accumulates per cycle
    std::uint32_t dspMacsFloat = 0;
    std::uint32_t dspBytesPerCycle = 0;
    std::uint32_t dmaChannels = 1;
    std::uint32_t dmaBytesPerCycle = 1;
    std::uint32_t loadsAhead = 0;            // operations ahead of which loads should run at most
    bool pixelReads = false;                 // loads of images take a row for each pixel
    bool resultsLeave = false;               // a convolution's results, before another reads them
    std::uint32_t decoderBytesPerCycle = 0;  // decoded bytes, of one channel; 0: no decoders
    double dramBytesPerCycle = 1.0;
    std::uint32_t dramLatencyCycles = 0;
    std::uint64_t residentBytes = 0;  // on-chip memory that keeps data between jobs, whole pages
    std::uint64_t residentBase = 0;   // bus address of its window
    std::uint64_t clockHz = 0;        // of the cycles that the device counts, at any clock level
    /// Level 0 is clockHz; slower levels follow in falling order.
    std::array<std::uint64_t, hw::regs::kClockLevelCount> clockLevelsHz{};
    std::uint32_t clockLevels = 1;
    std::uint32_t sustainedLevel = 0;  // the fastest level without a time limit
    std::uint32_t clockSwitchNs = 0;
    std::uint32_t autosuspendUs = 0;  // idle time before the device sleeps; 0: never
    std::uint32_t suspendNs = 0;
    std::uint32_t resumeNs = 0;
    std::uint64_t memoryBytes = 0;
    std::uint32_t ringCount = 0;
    std::uint32_t contextCount = 0;
    std::uint32_t engineQueueDepth = 8;  // commands that one engine queues

    /// Reads the registers; GENERAL_FAILURE if the device is not a vnpu or its major version is not
    /// the driver's.
    static Result<DeviceInfo> read(DevicePort& port);
};

}  // namespace vnpu::driver

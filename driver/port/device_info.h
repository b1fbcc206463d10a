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
    std::uint32_t macRows = 1;
    std::uint32_t macColumns = 1;
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

    /// Reads the registers; GENERAL_FAILURE if the device is not a vnpu, if its major version is
    /// not the driver's, or if a rate or a size is 0 that the driver divides by.
    static Result<DeviceInfo> read(DevicePort& port);
};

/// Calls `visit(member, field, unit, since)` for every member that is a number in a register:
/// `unit` times the field's value, from minor version `since` of the architecture on; in the order
/// of the registers. `Info` is DeviceInfo or const DeviceInfo.
template <typename Info, typename Visitor>
void visitDeviceFields(Info& info, Visitor&& visit) {
    namespace regs = hw::regs;
    constexpr double kPer1024 = 1.0 / 1024;
    constexpr double kKib = 1024;
    constexpr double kMib = 1024 * kKib;
    constexpr double kKhz = 1000;
    visit(info.archVersion, regs::ArchVersion::kSpec.whole(), 1, 0);
    visit(info.commandStreamVersion, regs::CommandStreamVersion::kSpec.whole(), 1, 0);
    visit(info.isSimulated, regs::Platform::kSimulated, 1, 0);
    visit(info.isTimingOnly, regs::Platform::kTimingOnly, 1, 0);
    visit(info.macRows, regs::ConfigMac::kRows, 1, 0);
    visit(info.macColumns, regs::ConfigMac::kColumns, 1, 0);
    visit(info.dataflow, regs::ConfigMac::kDataflow, 1, 0);
    visit(info.weightDoubleBuffer, regs::ConfigMac::kWeightDoubleBuffer, 1, 0);
    visit(info.winograd, regs::ConfigMac::kWinograd, 1, 0);
    visit(info.tapsApart, regs::ConfigMac::kTapsApart, 1, 0);
    visit(info.floatDivisor, regs::ConfigMacRates::kFloatDivisor, 1, 0);
    visit(info.outputLanes, regs::ConfigMacRates::kOutputLanes, 1, 0);
    visit(info.depthwiseColumns, regs::ConfigMacRates::kDepthwiseColumns, 1, 0);
    visit(info.accumulatorBytes, regs::ConfigAccumulator::kKib, kKib, 0);
    visit(info.sramBytes, regs::ConfigSram::kKib, kKib, 0);
    visit(info.sramBanks, regs::ConfigSram::kBanks, 1, 0);
    visit(info.loadsAhead, regs::ConfigSram::kLoadsAhead, 1, 0);
    visit(info.sramPortBytes, regs::ConfigSramPort::kBytesPerCycle, 1, 0);
    visit(info.pixelReads, regs::ConfigSramPort::kPixelReads, 1, 0);
    visit(info.resultsLeave, regs::ConfigSramPort::kResultsLeave, 1, 0);
    visit(info.vectorLanes8, regs::ConfigVector::kLanes8, 1, 0);
    visit(info.vectorLanes32, regs::ConfigVector::kLanes32, 1, 0);
    visit(info.dmaChannels, regs::ConfigDma::kChannels, 1, 0);
    visit(info.dmaBytesPerCycle, regs::ConfigDma::kBytesPerCycle, 1, 0);
    visit(info.decoderBytesPerCycle, regs::ConfigDma::kDecoderBytesPerCycle, 1, 0);
    visit(info.dramBytesPerCycle, regs::ConfigDramBandwidth::kSpec.whole(), kPer1024, 0);
    visit(info.dramLatencyCycles, regs::ConfigDramLatency::kSpec.whole(), 1, 0);
    visit(info.clockHz, regs::ConfigClock::kSpec.whole(), kKhz, 0);
    visit(info.memoryBytes, regs::ConfigMemory::kSpec.whole(), kKib, 0);
    visit(info.ringCount, regs::ConfigQueues::kRings, 1, 0);
    visit(info.contextCount, regs::ConfigQueues::kContexts, 1, 0);
    visit(info.engineQueueDepth, regs::ConfigQueues::kEngineDepth, 1, 0);
    visit(info.residentBytes, regs::ConfigResident::kKib, kKib, 1);
    visit(info.residentBase, regs::ConfigResident::kBaseMib, kMib, 1);
    visit(info.dspLanes8, regs::ConfigDsp::kLanes8, 1, 2);
    visit(info.dspLanes32, regs::ConfigDsp::kLanes32, 1, 2);
    visit(info.dspMacs8, regs::ConfigDspMacs::kMacs8, 1, 2);
    visit(info.dspMacsFloat, regs::ConfigDspMacs::kMacsFloat, 1, 2);
    visit(info.dspBytesPerCycle, regs::ConfigDspPort::kBytesPerCycle, 1, 2);
    visit(info.sustainedLevel, regs::ConfigPower::kSustained, 1, 4);
    visit(info.clockLevels, regs::ConfigPower::kLevels, 1, 4);
    visit(info.autosuspendUs, regs::ConfigAutosuspend::kSpec.whole(), 1, 4);
    visit(info.suspendNs, regs::ConfigSuspend::kSpec.whole(), 1, 4);
    visit(info.resumeNs, regs::ConfigResume::kSpec.whole(), 1, 4);
    visit(info.clockSwitchNs, regs::ConfigClockSwitch::kSpec.whole(), 1, 4);
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/port/device_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/port/register_access.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;

constexpr std::uint32_t kArchMajor = 1;  // of hw_model/regs
constexpr std::uint64_t kKib = 1024;

Result<std::uint32_t> checkIdentity(DevicePort& port) {
    const std::uint32_t id = readRegister<regs::Id>(port);
    if (id != regs::kDeviceId) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("device id is {:#010x}, expected {:#010x}", id, regs::kDeviceId));
    }
    const std::uint32_t version = readRegister<regs::ArchVersion>(port);
    if (regs::ArchVersion::kMajor.get(version) != kArchMajor) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("architecture version is {}.{}, expected {}.x",
                                regs::ArchVersion::kMajor.get(version),
                                regs::ArchVersion::kMinor.get(version), kArchMajor));
    }
    return version;
}

void readCompute(DevicePort& port, DeviceInfo& info) {
    const std::uint32_t mac = readRegister<regs::ConfigMac>(port);
    info.macRows = regs::ConfigMac::kRows.get(mac);
    info.macColumns = regs::ConfigMac::kColumns.get(mac);
    info.dataflow = regs::ConfigMac::kDataflow.get(mac);
    info.weightDoubleBuffer = regs::ConfigMac::kWeightDoubleBuffer.get(mac) != 0;
    info.winograd = regs::ConfigMac::kWinograd.get(mac) != 0;
    info.tapsApart = regs::ConfigMac::kTapsApart.get(mac) != 0;
    const std::uint32_t rates = readRegister<regs::ConfigMacRates>(port);
    info.floatDivisor = regs::ConfigMacRates::kFloatDivisor.get(rates);
    info.outputLanes = regs::ConfigMacRates::kOutputLanes.get(rates);
    info.depthwiseColumns = regs::ConfigMacRates::kDepthwiseColumns.get(rates);
    info.accumulatorBytes =
            kKib * regs::ConfigAccumulator::kKib.get(readRegister<regs::ConfigAccumulator>(port));
    const std::uint32_t vector = readRegister<regs::ConfigVector>(port);
    info.vectorLanes8 = regs::ConfigVector::kLanes8.get(vector);
    info.vectorLanes32 = regs::ConfigVector::kLanes32.get(vector);
}

void readMemory(DevicePort& port, DeviceInfo& info) {
    const std::uint32_t sram = readRegister<regs::ConfigSram>(port);
    info.sramBytes = kKib * regs::ConfigSram::kKib.get(sram);
    info.sramBanks = regs::ConfigSram::kBanks.get(sram);
    info.loadsAhead = regs::ConfigSram::kLoadsAhead.get(sram);
    const std::uint32_t sramPort = readRegister<regs::ConfigSramPort>(port);
    info.sramPortBytes = regs::ConfigSramPort::kBytesPerCycle.get(sramPort);
    info.pixelReads = regs::ConfigSramPort::kPixelReads.get(sramPort) != 0;
    info.resultsLeave = regs::ConfigSramPort::kResultsLeave.get(sramPort) != 0;
    const std::uint32_t dma = readRegister<regs::ConfigDma>(port);
    info.dmaChannels = regs::ConfigDma::kChannels.get(dma);
    info.dmaBytesPerCycle = regs::ConfigDma::kBytesPerCycle.get(dma);
    info.decoderBytesPerCycle = regs::ConfigDma::kDecoderBytesPerCycle.get(dma);
    info.dramBytesPerCycle = readRegister<regs::ConfigDramBandwidth>(port) / 1024.0;
    info.dramLatencyCycles = readRegister<regs::ConfigDramLatency>(port);
    info.memoryBytes = kKib * readRegister<regs::ConfigMemory>(port);
}

void readResident(DevicePort& port, DeviceInfo& info) {
    constexpr std::uint32_t kSinceMinor = 1;  // earlier versions have no such register
    if (regs::ArchVersion::kMinor.get(info.archVersion) < kSinceMinor) {
        return;
    }
    const std::uint32_t resident = readRegister<regs::ConfigResident>(port);
    const std::uint64_t bytes = kKib * regs::ConfigResident::kKib.get(resident);
    info.residentBytes = bytes / hw::kPageBytes * hw::kPageBytes;
    info.residentBase = std::uint64_t{regs::ConfigResident::kBaseMib.get(resident)} << 20;
}

void readDsp(DevicePort& port, DeviceInfo& info) {
    constexpr std::uint32_t kSinceMinor = 2;  // earlier versions have no such engine
    if (regs::ArchVersion::kMinor.get(info.archVersion) < kSinceMinor) {
        return;
    }
    const std::uint32_t lanes = readRegister<regs::ConfigDsp>(port);
    info.dspLanes8 = regs::ConfigDsp::kLanes8.get(lanes);
    info.dspLanes32 = regs::ConfigDsp::kLanes32.get(lanes);
    const std::uint32_t macs = readRegister<regs::ConfigDspMacs>(port);
    info.dspMacs8 = regs::ConfigDspMacs::kMacs8.get(macs);
    info.dspMacsFloat = regs::ConfigDspMacs::kMacsFloat.get(macs);
    info.dspBytesPerCycle =
            regs::ConfigDspPort::kBytesPerCycle.get(readRegister<regs::ConfigDspPort>(port));
}

/// Ends at the first level that is not slower than the one before.
void readPower(DevicePort& port, DeviceInfo& info) {
    info.clockLevelsHz[0] = info.clockHz;
    constexpr std::uint32_t kSinceMinor = 4;  // earlier versions have no such registers
    if (regs::ArchVersion::kMinor.get(info.archVersion) < kSinceMinor) {
        return;
    }
    const std::uint32_t power = readRegister<regs::ConfigPower>(port);
    const std::uint32_t levels =
            std::min(regs::ConfigPower::kLevels.get(power), regs::kClockLevelCount);
    while (info.clockLevels < levels) {
        const std::uint64_t hz =
                std::uint64_t{1000} * readRegister<regs::ConfigClockLevel>(port, info.clockLevels);
        if (hz == 0 || hz >= info.clockLevelsHz[info.clockLevels - 1]) {
            break;
        }
        info.clockLevelsHz[info.clockLevels++] = hz;
    }
    info.sustainedLevel = std::min(regs::ConfigPower::kSustained.get(power), info.clockLevels - 1);
    info.clockSwitchNs = readRegister<regs::ConfigClockSwitch>(port);
    info.autosuspendUs = readRegister<regs::ConfigAutosuspend>(port);
    info.suspendNs = readRegister<regs::ConfigSuspend>(port);
    info.resumeNs = readRegister<regs::ConfigResume>(port);
}

/// Checks the numbers that the driver divides by or needs at least one of.
Result<void> checkPlausible(const DeviceInfo& info) {
    const bool isPlausible = info.clockHz > 0 && info.macRows > 0 && info.macColumns > 0 &&
                             info.sramBytes > 0 && info.sramBanks > 0 && info.memoryBytes > 0 &&
                             info.ringCount > 0 && info.ringCount <= regs::kRingCount &&
                             info.contextCount > 0 && info.contextCount <= regs::kContextCount;
    if (!isPlausible) {
        return fail(
                ErrorStatus::GENERAL_FAILURE,
                fmt::format("device configuration is invalid: clock {} Hz, array {}x{}, SRAM "
                            "{} bytes in {} "
                            "banks, memory {} bytes, {} rings, {} contexts",
                            info.clockHz, info.macRows, info.macColumns, info.sramBytes,
                            info.sramBanks, info.memoryBytes, info.ringCount, info.contextCount));
    }
    return {};
}

}  // namespace

Result<DeviceInfo> DeviceInfo::read(DevicePort& port) {
    VNPU_TRY_ASSIGN(auto version, checkIdentity(port));
    DeviceInfo info;
    info.archVersion = version;
    info.commandStreamVersion = readRegister<regs::CommandStreamVersion>(port);
    const std::uint32_t platform = readRegister<regs::Platform>(port);
    info.isSimulated = regs::Platform::kSimulated.get(platform) != 0;
    info.isTimingOnly = regs::Platform::kTimingOnly.get(platform) != 0;
    readCompute(port, info);
    readMemory(port, info);
    readResident(port, info);
    readDsp(port, info);
    info.clockHz = std::uint64_t{1000} * readRegister<regs::ConfigClock>(port);
    readPower(port, info);
    const std::uint32_t queues = readRegister<regs::ConfigQueues>(port);
    info.ringCount = regs::ConfigQueues::kRings.get(queues);
    info.contextCount = regs::ConfigQueues::kContexts.get(queues);
    info.engineQueueDepth = std::max(regs::ConfigQueues::kEngineDepth.get(queues), 1U);
    VNPU_TRY(checkPlausible(info));
    return info;
}

}  // namespace vnpu::driver

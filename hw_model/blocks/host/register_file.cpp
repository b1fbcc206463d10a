// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/register_file.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "hw_model/timing/memory_timing.h"

namespace vnpu::hw {

RegisterFile::RegisterFile(const NpuConfig& config)
    : decoded_(regs::kWindowBytes / 4), values_(regs::kWindowBytes / 4, 0) {
    for (std::uint32_t offset = 0; offset < regs::kWindowBytes; offset += 4) {
        decoded_[offset / 4] = regs::findRegister(offset);
    }
    reset();
    fillConfiguration(config);
}

void RegisterFile::reset() {
    for (std::uint32_t offset = 0; offset < regs::kWindowBytes; offset += 4) {
        if (!regs::isConfiguration(offset)) {
            restore(offset);
        }
    }
}

void RegisterFile::restore(std::uint32_t offset) {
    const regs::RegisterHit& hit = decoded_[offset / 4];
    setValue(offset, hit.spec != nullptr ? hit.spec->reset : 0);
}

void RegisterFile::fillConfiguration(const NpuConfig& config) {
    for (std::uint32_t offset = 0; offset < regs::kWindowBytes; offset += 4) {
        if (regs::isConfiguration(offset)) {
            restore(offset);
        }
    }
    const auto dramPer1024 =
            static_cast<std::uint32_t>(std::lround(dramSustainedRate(config.dram) * 1024));
    setValue(regs::Platform::kSpec.offset,
             regs::Platform::kSimulated.put(1) |
                     regs::Platform::kTimingOnly.put(config.timingOnly ? 1 : 0));
    setValue(regs::ConfigMac::kSpec.offset,
             regs::ConfigMac::kRows.put(config.mac.rows) |
                     regs::ConfigMac::kColumns.put(config.mac.columns) |
                     regs::ConfigMac::kDataflow.put(
                             static_cast<std::uint32_t>(config.mac.dataflow)) |
                     regs::ConfigMac::kWeightDoubleBuffer.put(config.mac.weightDoubleBuffer ? 1
                                                                                            : 0) |
                     regs::ConfigMac::kWinograd.put(config.mac.winograd ? 1 : 0) |
                     regs::ConfigMac::kTapsApart.put(config.mac.tapsApart ? 1 : 0));
    setValue(regs::ConfigMacRates::kSpec.offset,
             regs::ConfigMacRates::kFloatDivisor.put(config.mac.floatDivisor) |
                     regs::ConfigMacRates::kOutputLanes.put(config.mac.outputLanes) |
                     regs::ConfigMacRates::kDepthwiseColumns.put(config.mac.depthwiseColumns));
    setValue(regs::ConfigAccumulator::kSpec.offset,
             regs::ConfigAccumulator::kKib.put(config.mac.accumulatorKib));
    setValue(regs::ConfigSram::kSpec.offset,
             regs::ConfigSram::kKib.put(config.sram.kib) |
                     regs::ConfigSram::kBanks.put(config.sram.banks) |
                     regs::ConfigSram::kLoadsAhead.put(config.dma.loadsAhead));
    setValue(regs::ConfigSramPort::kSpec.offset,
             regs::ConfigSramPort::kBytesPerCycle.put(config.sram.portBytes) |
                     regs::ConfigSramPort::kPixelReads.put(config.dma.pixelReads ? 1 : 0) |
                     regs::ConfigSramPort::kResultsLeave.put(config.sram.keepsResults ? 0 : 1));
    setValue(regs::ConfigResident::kSpec.offset,
             regs::ConfigResident::kKib.put(config.sram.residentKib) |
                     regs::ConfigResident::kBaseMib.put(
                             static_cast<std::uint32_t>(regs::kResidentBase >> 20)));
    setValue(regs::ConfigVector::kSpec.offset,
             regs::ConfigVector::kLanes8.put(config.vector.lanes8) |
                     regs::ConfigVector::kLanes32.put(config.vector.lanes32));
    setValue(regs::ConfigDsp::kSpec.offset,
             regs::ConfigDsp::kLanes8.put(config.dsp.lanes8) |
                     regs::ConfigDsp::kLanes32.put(config.dsp.lanes32));
    setValue(regs::ConfigDspMacs::kSpec.offset,
             regs::ConfigDspMacs::kMacs8.put(config.dsp.macs8) |
                     regs::ConfigDspMacs::kMacsFloat.put(config.dsp.macsFloat));
    setValue(regs::ConfigDspPort::kSpec.offset,
             regs::ConfigDspPort::kBytesPerCycle.put(config.dsp.bytesPerCycle));
    setValue(regs::ConfigDspState::kSpec.offset,
             regs::ConfigDspState::kBytes.put(config.dsp.stateBytes));
    setValue(regs::ConfigDma::kSpec.offset,
             regs::ConfigDma::kChannels.put(static_cast<std::uint32_t>(kDmaChannelCount)) |
                     regs::ConfigDma::kBytesPerCycle.put(config.dma.bytesPerCycle) |
                     regs::ConfigDma::kDecoderBytesPerCycle.put(config.decoder.bytesPerCycle));
    setValue(regs::ConfigDramBandwidth::kSpec.offset, dramPer1024);
    setValue(regs::ConfigDramLatency::kSpec.offset,
             static_cast<std::uint32_t>(dramLatencyCycles(config.dram)));
    setValue(regs::ConfigClock::kSpec.offset, config.clockKhz);
    const std::vector<std::uint32_t> levels = clockLevelsKhz(config);
    setValue(regs::ConfigPower::kSpec.offset,
             regs::ConfigPower::kLevels.put(static_cast<std::uint32_t>(levels.size())) |
                     regs::ConfigPower::kSustained.put(config.power.sustainedLevel));
    for (std::uint32_t i = 0; i < levels.size(); ++i) {
        setValue(regs::ConfigClockLevel::kSpec.at(i), levels[i]);
    }
    setValue(regs::ConfigAutosuspend::kSpec.offset, config.power.autosuspendUs);
    setValue(regs::ConfigSuspend::kSpec.offset, config.power.suspendNs);
    setValue(regs::ConfigResume::kSpec.offset, config.power.resumeNs);
    setValue(regs::ConfigClockSwitch::kSpec.offset, config.power.switchNs);
    setValue(regs::ConfigMemory::kSpec.offset, config.dram.mib * 1024);
    setValue(regs::ConfigQueues::kSpec.offset,
             regs::ConfigQueues::kRings.put(regs::kRingCount) |
                     regs::ConfigQueues::kContexts.put(regs::kContextCount) |
                     regs::ConfigQueues::kEngineDepth.put(config.controller.engineQueueDepth));
}

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/register_file.h"

#include <cmath>

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
    for (std::uint32_t offset = regs::Control::kSpec.offset; offset < regs::kWindowBytes;
         offset += 4) {
        const regs::RegisterHit& hit = decoded_[offset / 4];
        values_[offset / 4] = hit.spec != nullptr ? hit.spec->reset : 0;
    }
}

void RegisterFile::fillConfiguration(const NpuConfig& config) {
    using namespace regs;
    for (std::uint32_t offset = 0; offset < Control::kSpec.offset; offset += 4) {
        const RegisterHit& hit = decoded_[offset / 4];
        setValue(offset, hit.spec != nullptr ? hit.spec->reset : 0);
    }
    const auto dramPer1024 =
            static_cast<std::uint32_t>(std::lround(config.dram.bytesPerCycle * 1024));
    setValue(Platform::kSpec.offset,
             Platform::kSimulated.put(1) | Platform::kTimingOnly.put(config.timingOnly ? 1 : 0));
    setValue(ConfigMac::kSpec.offset,
             ConfigMac::kRows.put(config.mac.rows) | ConfigMac::kColumns.put(config.mac.columns) |
                     ConfigMac::kDataflow.put(static_cast<std::uint32_t>(config.mac.dataflow)) |
                     ConfigMac::kWeightDoubleBuffer.put(config.mac.weightDoubleBuffer ? 1 : 0));
    setValue(ConfigMacRates::kSpec.offset,
             ConfigMacRates::kFloatDivisor.put(config.mac.floatDivisor) |
                     ConfigMacRates::kOutputLanes.put(config.mac.outputLanes));
    setValue(ConfigAccumulator::kSpec.offset,
             ConfigAccumulator::kKib.put(config.mac.accumulatorKib));
    setValue(ConfigSram::kSpec.offset,
             ConfigSram::kKib.put(config.sram.kib) | ConfigSram::kBanks.put(config.sram.banks));
    setValue(ConfigSramPort::kSpec.offset,
             ConfigSramPort::kBytesPerCycle.put(config.sram.portBytes));
    setValue(ConfigVector::kSpec.offset, ConfigVector::kLanes8.put(config.vector.lanes8) |
                                                 ConfigVector::kLanes32.put(config.vector.lanes32));
    setValue(ConfigDma::kSpec.offset,
             ConfigDma::kChannels.put(static_cast<std::uint32_t>(kDmaChannelCount)) |
                     ConfigDma::kBytesPerCycle.put(config.dma.bytesPerCycle));
    setValue(ConfigDramBandwidth::kSpec.offset, dramPer1024);
    setValue(ConfigDramLatency::kSpec.offset, config.dram.latencyCycles);
    setValue(ConfigClock::kSpec.offset, config.clockKhz);
    setValue(ConfigMemory::kSpec.offset, config.dram.mib * 1024);
    setValue(ConfigQueues::kSpec.offset,
             ConfigQueues::kRings.put(kRingCount) | ConfigQueues::kContexts.put(kContextCount) |
                     ConfigQueues::kEngineDepth.put(config.controller.engineQueueDepth));
}

}  // namespace vnpu::hw

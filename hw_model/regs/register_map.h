// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hw_model/regs/registers.h"

namespace vnpu::hw::regs {

/// Every register of registers.h, by rising offset.
inline constexpr const RegisterSpec* kRegisterMap[] = {
        &Id::kSpec,
        &ArchVersion::kSpec,
        &CommandStreamVersion::kSpec,
        &Platform::kSpec,
        &ConfigMac::kSpec,
        &ConfigMacRates::kSpec,
        &ConfigAccumulator::kSpec,
        &ConfigSram::kSpec,
        &ConfigSramPort::kSpec,
        &ConfigVector::kSpec,
        &ConfigDma::kSpec,
        &ConfigDramBandwidth::kSpec,
        &ConfigDramLatency::kSpec,
        &ConfigClock::kSpec,
        &ConfigMemory::kSpec,
        &ConfigQueues::kSpec,
        &Control::kSpec,
        &Status::kSpec,
        &BootParametersLo::kSpec,
        &BootParametersHi::kSpec,
        &Heartbeat::kSpec,
        &CycleCounterLo::kSpec,
        &CycleCounterHi::kSpec,
        &IrqStatus::kSpec,
        &IrqMask::kSpec,
        &MailboxIn::kSpec,
        &MailboxInControl::kSpec,
        &MailboxOut::kSpec,
        &MailboxOutControl::kSpec,
        &Doorbell::kSpec,
        &ConfigResident::kSpec,
        &ConfigDsp::kSpec,
        &ConfigDspMacs::kSpec,
        &ConfigDspPort::kSpec,
        &ConfigDspState::kSpec,
        &ConfigPower::kSpec,
        &ConfigClockLevel::kSpec,
        &ConfigAutosuspend::kSpec,
        &ConfigSuspend::kSpec,
        &ConfigResume::kSpec,
        &ConfigClockSwitch::kSpec,
        &PowerStatus::kSpec,
        &MmuFaultInfo::kSpec,
        &MmuFaultAddressLo::kSpec,
        &MmuFaultAddressHi::kSpec,
        &MmuInvalidate::kSpec,
        &PerfCounter::kSpec,
        &PerfCounterHi::kSpec,
        &EnginePush::kSpec,
        &EngineFree::kSpec,
        &EngineTokens::kSpec,
        &EngineError::kSpec,
        &EngineAbort::kSpec,
        &JobStart::kSpec,
        &JobRegionTable::kSpec,
        &JobIdLo::kSpec,
        &JobIdHi::kSpec,
        &EngineWatch::kSpec,
        &JobSegment::kSpec,
        &EngineTokensLoad::kSpec,
        &DspYield::kSpec,
        &DspDoneCyclesLo::kSpec,
        &DspDoneCyclesHi::kSpec,
        &DspDoneBytesLo::kSpec,
        &DspDoneBytesHi::kSpec,
        &JobKeepLo::kSpec,
        &JobKeepHi::kSpec,
        &EngineProgress::kSpec,
        &ContextRootLo::kSpec,
        &ContextRootHi::kSpec,
        &ControllerIrqStatus::kSpec,
        &DoorbellPending::kSpec,
        &IrqRaise::kSpec,
        &StatusSet::kSpec,
        &HeartbeatTick::kSpec,
        &PowerSuspend::kSpec,
        &ClockLevel::kSpec,
        &MailboxOutData::kSpec,
        &DoorbellValue::kSpec,
};

inline std::span<const RegisterSpec* const> registerMap() {
    return kRegisterMap;
}

/// Where an offset lies in the map.
struct RegisterHit {
    const RegisterSpec* spec = nullptr;
    std::uint32_t index = 0;   // of several equal registers, from 0
    std::uint32_t number = 0;  // of the row in registerMap()
};

/// The register at a byte offset; `spec` is null where there is none, or the offset is misaligned.
RegisterHit findRegister(std::uint32_t offset);

/// The register map as a Markdown table, with fields.
void printRegisterMap(std::string& out);

}  // namespace vnpu::hw::regs

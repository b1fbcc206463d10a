// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/register_map.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <iterator>

namespace vnpu::hw::regs {
namespace {

constexpr const RegisterSpec* kMap[] = {
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

constexpr std::size_t kWords = kWindowBytes / 4;
constexpr std::uint8_t kNoRegister = 0xFF;
static_assert(std::size(kMap) < kNoRegister, "the lookup table holds register numbers in a byte");

/// For each word of the window, which register it belongs to and which of its equals it is.
struct Lookup {
    std::array<std::uint8_t, kWords> number{};
    std::array<std::uint8_t, kWords> index{};

    Lookup() {
        number.fill(kNoRegister);
        for (std::size_t i = 0; i < std::size(kMap); ++i) {
            for (std::uint32_t n = 0; n < kMap[i]->count; ++n) {
                number[kMap[i]->at(n) / 4] = static_cast<std::uint8_t>(i);
                index[kMap[i]->at(n) / 4] = static_cast<std::uint8_t>(n);
            }
        }
    }
};

const char* accessName(Access access) {
    switch (access) {
        case Access::kReadOnly:
            return "RO";
        case Access::kReadWrite:
            return "RW";
        case Access::kWriteOnly:
            return "WO";
        case Access::kWriteOneToClear:
            return "W1C";
    }
    return "?";
}

void printRegister(std::string& out, const RegisterSpec& spec) {
    auto to = std::back_inserter(out);
    if (spec.count == 1) {
        fmt::format_to(to, "| 0x{:04X} | {} |", spec.offset, spec.name);
    } else {
        fmt::format_to(to, "| 0x{:04X} + {}n | {}[0..{}] |", spec.offset, spec.strideBytes,
                       spec.name, spec.count - 1);
    }
    fmt::format_to(to, " | {} | 0x{:08X} | {} |\n", accessName(spec.access), spec.reset,
                   spec.meaning);
    for (const FieldSpec& field : spec.fields) {
        fmt::format_to(to, "| | {} | ", field.name);
        if (field.width == 1) {
            fmt::format_to(to, "{}", field.lsb);
        } else {
            fmt::format_to(to, "{}:{}", field.lsb + field.width - 1, field.lsb);
        }
        fmt::format_to(to, " | | 0x{:X} | {} |\n", field.get(spec.reset), field.meaning);
    }
}

}  // namespace

std::span<const RegisterSpec* const> registerMap() {
    return kMap;
}

RegisterHit findRegister(std::uint32_t offset) {
    static const Lookup kLookup;
    if (offset >= kWindowBytes || offset % 4 != 0) {
        return {};
    }
    const std::uint8_t number = kLookup.number[offset / 4];
    if (number == kNoRegister) {
        return {};
    }
    return {kMap[number], kLookup.index[offset / 4]};
}

void printRegisterMap(std::string& out) {
    out += "| offset | register or field | bits | access | reset | meaning |\n";
    out += "| --- | --- | --- | --- | --- | --- |\n";
    for (const RegisterSpec* spec : kMap) {
        printRegister(out, *spec);
    }
}

}  // namespace vnpu::hw::regs

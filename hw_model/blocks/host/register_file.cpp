// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/register_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "hw_model/timing/config_fields.h"
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
    visitConfigFields(config, [&](const ConfigField& field, const auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
            show(field.range.place, static_cast<std::uint32_t>(value));
        }
    });
    show(regs::Platform::kSimulated, 1);
    show(regs::Platform::kTimingOnly, config.timingOnly ? 1 : 0);
    show(regs::ConfigSramPort::kResultsLeave, config.sram.keepsResults ? 0 : 1);
    show(regs::ConfigResident::kBaseMib, static_cast<std::uint32_t>(regs::kResidentBase >> 20));
    show(regs::ConfigDma::kChannels, static_cast<std::uint32_t>(kDmaChannelCount));
    const double bandwidth =
            std::min<double>(dramSustainedRate(config.dram), config.interconnect.bytesPerCycle);
    show(regs::ConfigDramBandwidth::kSpec.whole(),
         static_cast<std::uint32_t>(std::lround(bandwidth * 1024)));
    show(regs::ConfigDramLatency::kSpec.whole(),
         static_cast<std::uint32_t>(dramLatencyCycles(config.dram)));
    show(regs::ConfigMemory::kSpec.whole(), config.dram.mib * 1024);
    show(regs::ConfigQueues::kRings, regs::kRingCount);
    show(regs::ConfigQueues::kContexts, regs::kContextCount);
    const std::vector<std::uint32_t> levels = clockLevelsKhz(config);
    show(regs::ConfigPower::kLevels, static_cast<std::uint32_t>(levels.size()));
    for (std::uint32_t i = 0; i < levels.size(); ++i) {
        setValue(regs::ConfigClockLevel::kSpec.at(i), levels[i]);
    }
}

void RegisterFile::show(const regs::FieldSpec& place, std::uint32_t number) {
    if (place.width != 0) {
        setValue(place.offset, (value(place.offset) & ~place.mask()) | place.put(number));
    }
}

}  // namespace vnpu::hw

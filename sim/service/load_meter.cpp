// SPDX-License-Identifier: Apache-2.0
#include "sim/service/load_meter.h"

#include <algorithm>

#include "sim/trace/power_label.h"

namespace vnpu::sim {

void LoadMeter::onEngineCommand(const EngineEvent& event) {
    const hw::EngineCommandRecord& record = event.record;
    const std::size_t engine = hw::engineIndex(record.engine);
    job_ = record.jobId;
    // The output stage of one command may overlap the start of the next.
    const std::uint64_t begin = std::max(record.startCycle, lastEnds_.at(engine));
    if (record.endCycle > begin) {
        busyCycles_.at(engine) += record.endCycle - begin;
        lastEnds_.at(engine) = record.endCycle;
    }
}

void LoadMeter::onPowerState(std::uint64_t /*timeNs*/, hw::regs::PowerState state,
                             std::uint32_t level) {
    powerState_ = state;
    clockLevel_ = level;
}

DeviceLoad LoadMeter::load() const {
    DeviceLoad load;
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        const double ns = static_cast<double>(busyCycles_.at(i)) * 1e6 / config_.clockKhz;
        load.busy.at(i) = std::chrono::nanoseconds(static_cast<std::int64_t>(ns));
    }
    load.job = job_;
    load.power = powerLabel(config_, powerState_, clockLevel_);
    return load;
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/energy.h"

#include <numeric>

namespace vnpu::hw {
namespace {

using regs::PerfEvent;

double asDouble(std::uint64_t count) {
    return static_cast<double>(count);
}

double product(const Activity& activity, PerfEvent event, double price) {
    return asDouble(activity[event]) * price;
}

}  // namespace

std::string_view energyComponentName(EnergyComponent component) {
    constexpr std::array<std::string_view, kEnergyComponentCount> kNames = {
            "mac_array", "vector_unit",  "dsp",  "controller", "accumulators", "sram",
            "resident",  "interconnect", "dram", "clock",      "leakage",      "sleep"};
    const auto index = static_cast<std::size_t>(component);
    return index < kNames.size() ? kNames[index] : "?";
}

double Energy::totalPicojoules() const {
    return std::accumulate(picojoules.begin(), picojoules.end(), 0.0);
}

Energy energyOf(const NpuConfig& config, const Activity& activity) {
    using Component = EnergyComponent;
    const EnergyConfig& price = config.energy;
    Energy energy;
    energy[Component::kMacArray] =
            product(activity, PerfEvent::kMacProducts8, price.mac8Pj) +
            product(activity, PerfEvent::kMacProductsFloat, price.macFloatPj) +
            product(activity, PerfEvent::kOutputStageOps8, price.vectorOp8Pj);
    energy[Component::kVectorUnit] =
            product(activity, PerfEvent::kVectorProducts8, price.mac8Pj) +
            product(activity, PerfEvent::kVectorProductsFloat, price.macFloatPj) +
            product(activity, PerfEvent::kVectorOps8, price.vectorOp8Pj) +
            product(activity, PerfEvent::kVectorOpsFloat, price.vectorOpFloatPj);
    energy[Component::kDsp] = product(activity, PerfEvent::kDspProducts8, price.mac8Pj) +
                              product(activity, PerfEvent::kDspProductsFloat, price.macFloatPj) +
                              product(activity, PerfEvent::kDspOps8, price.dspOp8Pj) +
                              product(activity, PerfEvent::kDspOpsFloat, price.dspOpFloatPj) +
                              product(activity, PerfEvent::kDspCoreCycles, price.dspCyclePj);
    energy[Component::kController] =
            product(activity, PerfEvent::kControllerCoreCycles, price.controllerCyclePj);
    energy[Component::kAccumulators] =
            product(activity, PerfEvent::kAccumulatorBytes, price.accumulatorBytePj);
    energy[Component::kSram] = product(activity, PerfEvent::kSramBytes, price.sramBytePj);
    energy[Component::kResidentMemory] =
            product(activity, PerfEvent::kResidentBytes, price.residentBytePj);
    const double busBytes =
            asDouble(activity[PerfEvent::kBusBytes] + activity[PerfEvent::kControllerBusBytes]);
    energy[Component::kInterconnect] = busBytes * price.interconnectBytePj;
    energy[Component::kDram] = busBytes * price.dramBytePj;
    constexpr double kKhzPerGhz = 1e6;
    energy[Component::kClock] =
            asDouble(activity.clockCycles) * price.clockMw * kKhzPerGhz / config.clockKhz;
    energy[Component::kLeakage] = asDouble(activity.awakeNs) * price.awakeMw;
    energy[Component::kSleep] = asDouble(activity.asleepNs) * price.asleepMw;
    return energy;
}

bool hasEnergy(const NpuConfig& config) {
    Activity all;
    all.counts.fill(1);
    all.awakeNs = all.clockCycles = all.asleepNs = 1;
    return energyOf(config, all).totalPicojoules() > 0;
}

}  // namespace vnpu::hw

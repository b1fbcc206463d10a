// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/energy.h"
#include "hw_model/timing/config_fields.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>

namespace vnpu::test {
namespace {

using namespace hw;
using regs::PerfEvent;
using Component = EnergyComponent;

/// Each price is a different power of ten, so that the digits of a sum identify its parts.
NpuConfig priced() {
    NpuConfig config;
    config.clockKhz = 500'000;
    config.energy.mac8Pj = 1;
    config.energy.macFloatPj = 10;
    config.energy.vectorOp8Pj = 100;
    config.energy.vectorOpFloatPj = 1000;
    config.energy.dspOp8Pj = 10'000;
    config.energy.dspOpFloatPj = 100'000;
    config.energy.dspCyclePj = 1'000'000;
    config.energy.accumulatorBytePj = 2;
    config.energy.sramBytePj = 3;
    config.energy.residentBytePj = 4;
    config.energy.interconnectBytePj = 5;
    config.energy.dramBytePj = 6;
    config.energy.controllerCyclePj = 7;
    config.energy.awakeMw = 8;
    config.energy.clockMw = 9;
    config.energy.asleepMw = 0.5;
    return config;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/energy");

TEST_CASE("every count has its own price [E-6]") {
    Activity one;
    one.counts.fill(1);
    const Energy energy = energyOf(priced(), one);
    CHECK(energy[Component::kMacArray] == 1 + 10 + 100);
    CHECK(energy[Component::kVectorUnit] == 1 + 10 + 100 + 1000);
    CHECK(energy[Component::kDsp] == 1 + 10 + 10'000 + 100'000 + 1'000'000);
    CHECK(energy[Component::kController] == 7);
    CHECK(energy[Component::kAccumulators] == 2);
    CHECK(energy[Component::kSram] == 3);
    CHECK(energy[Component::kResidentMemory] == 4);
    CHECK(energy[Component::kInterconnect] == 2 * 5);  // of engines and of the controller
    CHECK(energy[Component::kDram] == 2 * 6);
    CHECK(energy[Component::kClock] + energy[Component::kLeakage] + energy[Component::kSleep] == 0);
}

TEST_CASE("a small convolution has the energy calculated by hand, at 45 nm [E-6]") {
    // source: Horowitz, ISSCC 2014: 0.2 + 0.1 a product and sum, 0.03 for 8 bits of addition,
    // 10 pJ for 8 bytes of 8 KB, 1.3 nJ for 8 bytes of DRAM.
    NpuConfig config;
    config.energy.mac8Pj = 0.3;
    config.energy.vectorOp8Pj = 0.03;
    config.energy.accumulatorBytePj = 1.25;
    config.energy.sramBytePj = 1.25;
    config.energy.dramBytePj = 162.5;
    // 2 x 2 outputs of 4 channels, 1 x 1 x 8 filters on the 16 x 16 array: 4 * 4 * 8 products
    // in one fold. SRAM: 32 inputs and 32 filter bytes in and out again, 16 results likewise.
    MacConv work{};
    work.inputHeight = work.inputWidth = work.outputHeight = work.outputWidth = 2;
    work.inputChannels = 8;
    work.outputChannels = 4;
    work.filterHeight = work.filterWidth = work.strideHeight = work.strideWidth = 1;
    work.dilationHeight = work.dilationWidth = 1;
    work.flags = kMacDrain;
    Activity activity = macActivity(config.mac, work);
    activity[PerfEvent::kSramBytes] = 2 * (32 + 32 + 16);
    activity[PerfEvent::kBusBytes] = 64 + 64 + 64;  // a burst each
    const Energy energy = energyOf(config, activity);
    CHECK(energy[Component::kMacArray] == doctest::Approx(128 * 0.3 + 16 * 4 * 0.03));
    CHECK(energy[Component::kAccumulators] == doctest::Approx(16 * 4 * 2 * 1.25));
    CHECK(energy[Component::kSram] == doctest::Approx(200.0));
    CHECK(energy[Component::kDram] == doctest::Approx(31'200.0));
    CHECK(energy.totalPicojoules() == doctest::Approx(40.32 + 160 + 200 + 31'200));
}

TEST_CASE("leakage counts time, the clock counts cycles [E-6]") {
    Activity activity;
    activity.awakeNs = 1000;
    activity.asleepNs = 300;
    activity.clockCycles = 400;  // of 2 ns at level 0
    const Energy energy = energyOf(priced(), activity);
    CHECK(energy[Component::kLeakage] == 8 * 1000);
    CHECK(energy[Component::kSleep] == 0.5 * 300);
    CHECK(energy[Component::kClock] == 9 * 800);
}

TEST_CASE("without prices there is no energy [E-6]") {
    CHECK_FALSE(hasEnergy(NpuConfig{}));
    NpuConfig config;
    config.energy.asleepMw = 0.001;
    CHECK(hasEnergy(config));
}

TEST_CASE("components have distinct names [E-6]") {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kEnergyComponentCount; ++i) {
        names.insert(energyComponentName(static_cast<Component>(i)));
    }
    CHECK(names.size() == kEnergyComponentCount);
    CHECK(names.count("?") == 0);
    CHECK(energyComponentName(static_cast<Component>(kEnergyComponentCount)) == "?");
}

TEST_CASE("prices that are negative, too large or NaN are refused [E-7]") {
    NpuConfig config;
    config.energy.dramBytePj = -1;
    CHECK(findConfigError(config) == "energy.dram_byte_pj is -1, expected 0 to 1000000");
    config.energy.dramBytePj = 1e7;
    CHECK(findConfigError(config).find("energy.dram_byte_pj is 10000000, expected") == 0);
    config.energy.dramBytePj = std::numeric_limits<double>::quiet_NaN();
    CHECK(findConfigError(config).find("energy.dram_byte_pj is nan, expected") == 0);
    config.energy.dramBytePj = 0;
    config.energy.awakeMw = 3;
    config.energy.asleepMw = 4;
    CHECK(findConfigError(config) ==
          "energy.asleep_mw is 4, expected at most the 3 of awake_mw and clock_mw");
}

TEST_SUITE_END();

}  // namespace vnpu::test

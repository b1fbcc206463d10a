// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "hw_model/timing/energy.h"
#include "sim/config/embedded_files.h"
#include "sim/config/load_config.h"
#include "sim/validate/nvdla/nvdla_sheet.h"

namespace {

using vnpu::sim::configNames;
using vnpu::sim::embeddedConfigs;
using vnpu::sim::EmbeddedFile;
using vnpu::sim::loadConfig;

TEST_SUITE_BEGIN("sim/config/shipped_configs");

TEST_CASE("every shipped configuration loads and has its file's name [E-3]") {
    const auto names = configNames();
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(names.size() == 23);
    for (const std::string& name : names) {
        CHECK(loadConfig(name).name == name);
    }
}

TEST_CASE("every number has its source [E-3]") {
    for (const EmbeddedFile& file : embeddedConfigs()) {
        std::istringstream lines{std::string(file.text)};
        std::string line;
        while (std::getline(lines, line)) {
            const bool isSetting = line.find(" = ") != std::string::npos && line[0] != '#' &&
                                   line.find("name") != 0 && line.find("base") != 0;
            const bool hasSource = line.find("source: ") != std::string::npos ||
                                   line.find("chosen: ") != std::string::npos;
            CHECK_MESSAGE((!isSetting || hasSource), file.name, ": ", line);
        }
    }
}

TEST_CASE("every configuration has prices, higher for a float than for a byte [E-6]") {
    for (const std::string& name : configNames()) {
        CAPTURE(name);
        const auto config = loadConfig(name);
        CHECK(vnpu::hw::hasEnergy(config));
        CHECK(config.energy.macFloatPj > config.energy.mac8Pj);
        CHECK(config.energy.dramBytePj > config.energy.sramBytePj);
        // A third and a tenth of the array at its peak, in mW.
        const double peak =
                config.energy.mac8Pj * config.mac.rows * config.mac.columns * config.clockKhz / 1e6;
        CHECK(config.energy.clockMw == doctest::Approx(peak / 3).epsilon(0.01));
        CHECK(config.energy.awakeMw == doctest::Approx(peak / 10).epsilon(0.01));
        CHECK(config.energy.asleepMw == doctest::Approx(config.energy.awakeMw / 20).epsilon(0.05));
    }
}

TEST_CASE("edge has the MACs and the DRAM of an Ethos-U65-256 [E-3]") {
    const auto config = loadConfig("edge");
    CHECK(config.mac.rows * config.mac.columns == 256);
    CHECK(config.clockKhz == 1'000'000);
    CHECK(config.dram.bytesPerCycle == doctest::Approx(3.75));
    CHECK(config.sram.kib == 512);
}

TEST_CASE("resident memory is an additional bank, or absent [MD-2]") {
    for (const char* name : {"edge", "mobile"}) {
        const auto config = loadConfig(name);
        CHECK(config.sram.residentKib * config.sram.banks == config.sram.kib);
    }
    for (const char* name : {"nvdla-large", "tpu128", "ws32"}) {
        CHECK(loadConfig(name).sram.residentKib == 0);
    }
}

TEST_CASE("tpu128 has the figures of the published study [E-3]") {
    const auto config = loadConfig("tpu128");
    CHECK(config.mac.rows == 128);
    CHECK(config.mac.columns == 128);
    CHECK(config.clockKhz == 700'000);
    CHECK(config.sram.kib == (8 + 4) * 1024);
    CHECK(config.dram.latencyCycles == 100);
    CHECK(config.dram.bytesPerCycle * 0.7 == doctest::Approx(358.0));
    CHECK(config.mac.accumulatorKib == 64);
}

TEST_CASE("nvdla-large has 2048 MACs, 512 KiB and 20 GB/s [E-3]") {
    const auto config = loadConfig("nvdla-large");
    CHECK(config.mac.rows * config.mac.columns == 2048);
    CHECK(config.mac.dataflow == vnpu::hw::Dataflow::kBroadcast);
    CHECK(config.sram.kib == 512);
    CHECK(config.dram.bytesPerCycle == doctest::Approx(20.0));
}

TEST_CASE("nvdla-* have the published table's MACs, buffers and bandwidths [E-3]") {
    for (const auto& point : vnpu::sim::kNvdlaPoints) {
        const auto config = loadConfig(fmt::format("nvdla-{}", point.macs));
        CHECK(config.mac.rows * config.mac.columns == point.macs);
        CHECK(config.sram.kib == point.bufferKib);
        CHECK(config.dram.bytesPerCycle == point.dramGBps);
        CHECK(config.clockKhz == 1'000'000);
        CHECK(config.mac.winograd);
    }
}

TEST_CASE("u55-* and u65-* have Vela's clocks and bandwidths [E-3]") {
    for (const std::uint32_t macs : {128U, 256U}) {
        const auto config = loadConfig(fmt::format("u55-{}", macs));
        CHECK(config.mac.rows * config.mac.columns == macs);
        CHECK(config.clockKhz == 500'000);
        CHECK(config.dram.bytesPerCycle == 1.0);
    }
    for (const std::uint32_t macs : {256U, 512U}) {
        const auto config = loadConfig(fmt::format("u65-{}", macs));
        CHECK(config.mac.rows * config.mac.columns == macs);
        CHECK(config.clockKhz == 1'000'000);
        CHECK(config.dram.bytesPerCycle == 3.75);
        CHECK(config.sram.kib == 384);
    }
}

TEST_CASE("u55-* and u65-* compute depthwise filters at Vela's pace [E-3]") {
    // npu_performance.py: an eighth of the MACs' elements, 3 x 3 filters in 12 cycles.
    CHECK(loadConfig("u55-128").mac.depthwiseColumns == 1);  // 16 / 12
    CHECK(loadConfig("u55-256").mac.depthwiseColumns == 3);  // 32 / 12
    CHECK(loadConfig("u65-256").mac.depthwiseColumns == 3);
    CHECK(loadConfig("u65-512").mac.depthwiseColumns == 5);  // 64 / 12
}

TEST_CASE("u55-* and u65-* write results at Vela's pace [E-3]") {
    // architecture_features.py, output_cycles_per_elem, the last of each list.
    CHECK(loadConfig("u55-128").mac.outputLanes == 2);  // 0.5 cycles
    CHECK(loadConfig("u55-256").mac.outputLanes == 4);  // 0.25
    CHECK(loadConfig("u65-256").mac.outputLanes == 4);
    CHECK(loadConfig("u65-512").mac.outputLanes == 8);  // 0.125
}

TEST_CASE("systolic arrays of the tables run their folds one after another [E-3]") {
    for (const std::uint32_t size : {16U, 32U, 128U}) {
        for (const char* flow : {"ws", "os"}) {
            const auto config = loadConfig(fmt::format("{}{}", flow, size));
            CHECK(config.mac.rows == size);
            CHECK(config.mac.columns == size);
            CHECK_FALSE(config.mac.weightDoubleBuffer);
            CHECK((config.mac.dataflow == vnpu::hw::Dataflow::kOutputStationary) ==
                  (flow[0] == 'o'));
            // 112 x 112 results of every column in half of the accumulators.
            CHECK(config.mac.accumulatorKib * 512U >= 112U * 112U * size * 4U);
        }
    }
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/systolic/systolic_table.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "hw_model/timing/mac_timing.h"
#include "tests/sim/base/input_error.h"
#include "tests/support/program.h"
#include "tests/support/source_folder.h"

namespace {

using vnpu::sim::ReferenceTable;
using vnpu::sim::systolicLayers;
using vnpu::sim::SystolicTable;

const std::string kHeader =
        "layer,ifmap_h,ifmap_w,filter_h,filter_w,channels,filters,stride,repeat,M,N,K,cycles,"
        "stall_cycles,cycles_incl_prefetch,dram_ifmap_reads,dram_filter_reads,dram_ofmap_writes\n";

std::string rowError(const std::string& row) {
    return vnpu::sim::test::inputErrorOf(
            [&] { systolicLayers(ReferenceTable::parse(kHeader + row, "t.csv"), false); });
}

/// The array of a table, which has no second set of weights.
vnpu::hw::MacConfig arrayOf(const SystolicTable& table) {
    vnpu::hw::MacConfig mac;
    mac.rows = mac.columns = table.size;
    mac.dataflow = table.dataflow;
    mac.weightDoubleBuffer = false;
    return mac;
}

std::string fileOf(const SystolicTable& table) {
    const bool isWs = table.dataflow == vnpu::hw::Dataflow::kWeightStationary;
    return fmt::format("scalesim_{0}_{1}x{1}_{2}{3}.csv", table.network, table.size,
                       isWs ? "ws" : "os", table.isLimited ? "_user16" : "");
}

TEST_SUITE_BEGIN("sim/validate/systolic_table");

TEST_CASE("every row of the published tables has the closed form's cycles [E-3]") {
    const std::filesystem::path folder = vnpu::test::sharedFolder() / "reference";
    if (!std::filesystem::is_directory(folder)) {
        MESSAGE("skipped: no reference tables beside the sources and VNPU_SHARED not set");
        return;
    }
    std::size_t rows = 0;
    for (const SystolicTable& table : vnpu::sim::loadSystolicTables(folder)) {
        CAPTURE(fileOf(table));
        const ReferenceTable source = ReferenceTable::load(folder / fileOf(table));
        for (std::size_t i = 0; i < table.layers.size(); ++i) {
            const std::uint64_t cycles =
                    vnpu::hw::gemmCycles(arrayOf(table), table.layers[i].shape.gemm());
            CAPTURE(table.layers[i].name);
            REQUIRE(cycles == source.integer(i, "closed_form_cycles"));
            // The tool's own measurement: the index of the last cycle, without waiting for memory.
            REQUIRE(cycles - 1 == source.integer(i, "cycles") - source.integer(i, "stall_cycles"));
            ++rows;
        }
    }
    CHECK(rows == 1014);  // 44 files, according to the tables' own description
}

TEST_CASE("a row becomes a layer: cycles are an index, stalls are left out [E-3]") {
    const auto layers = systolicLayers(
            ReferenceTable::parse(kHeader + "c,9,7,3,3,2,4,2,5,12,4,18,99,9,120,30,20,10\n" +
                                          "g,,,,,,,,1,8,16,32,50,0,60,1,2,3\n",
                                  "t.csv"),
            true);
    REQUIRE(layers.size() == 2);
    CHECK(layers[0].name == "c");
    CHECK(layers[0].repeat == 5);
    CHECK(layers[0].macCycles == 91);
    CHECK(layers[0].totalCycles == 120);
    CHECK(layers[0].inputWords == 30);
    CHECK(layers[0].filterWords == 20);
    CHECK(layers[0].outputWords == 10);
    CHECK_FALSE(layers[0].shape.isProduct());
    CHECK(layers[1].shape.isProduct());
    CHECK(layers[1].shape.gemm().k == 32);
    CHECK(layers[1].macCycles == 51);
}

TEST_CASE("contradictory rows are reported [E-3]") {
    CHECK(rowError("c,9,7,3,3,2,4,2,5,13,4,18,99,9,0,0,0,0\n") ==
          "t.csv:2: M, N, K do not fit the layer, expected 12, 4, 18");
    CHECK(rowError("c,2,7,3,3,2,4,2,5,12,4,18,99,9,0,0,0,0\n") ==
          "t.csv:2: the filter is larger than the input, expected it within");
    CHECK(rowError("c,9,7,3,3,2,4,0,5,12,4,18,99,9,0,0,0,0\n") ==
          "t.csv:2: stride is 0, expected 1 to 1048576");
    CHECK(rowError("c,9,7,3,3,2,4,2,5,12,4,18,99,100,0,0,0,0\n") ==
          "t.csv:2: stall_cycles is 100, expected at most the 99 of cycles");
}

TEST_CASE("tables of a folder are identified by their names [E-3]") {
    const vnpu::test::TemporaryFolder folder;
    const std::string rows = kHeader + "g,,,,,,,,1,8,16,32,50,0,60,1,2,3\n";
    for (const char* name : {"scalesim_two_nets_16x16_os_user16.csv", "scalesim_net_32x32_ws.csv",
                             "scalesim_totals.csv", "scalesim_net_16x32_ws.csv", "other.csv"}) {
        vnpu::test::writeFile(folder / name, rows);
    }
    const auto tables = vnpu::sim::loadSystolicTables(folder.path());
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].network == "net");
    CHECK(tables[0].configName() == "ws32");
    CHECK_FALSE(tables[0].isLimited);
    CHECK(tables[1].network == "two_nets");
    CHECK(tables[1].configName() == "os16");
    CHECK(tables[1].isLimited);
}

TEST_SUITE_END();

}  // namespace

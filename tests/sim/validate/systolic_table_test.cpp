// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/systolic_table.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/error.h"
#include "tests/support/program.h"

namespace {

using vnpu::sim::InputError;
using vnpu::sim::ReferenceTable;
using vnpu::sim::systolicLayers;

const std::string kHeader =
        "layer,ifmap_h,ifmap_w,filter_h,filter_w,channels,filters,stride,repeat,M,N,K,cycles,"
        "stall_cycles,cycles_incl_prefetch,dram_ifmap_reads,dram_filter_reads,dram_ofmap_writes\n";

std::string errorOf(const std::string& row) {
    try {
        systolicLayers(ReferenceTable::parse(kHeader + row, "t.csv"), false);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST_SUITE("sim/validate/systolic_table") {
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

    TEST_CASE("rows that contradict themselves are told [E-3]") {
        CHECK(errorOf("c,9,7,3,3,2,4,2,5,13,4,18,99,9,0,0,0,0\n") ==
              "t.csv:2: M, N, K do not fit the layer, expected 12, 4, 18");
        CHECK(errorOf("c,2,7,3,3,2,4,2,5,12,4,18,99,9,0,0,0,0\n") ==
              "t.csv:2: the filter is larger than the input, expected it within");
        CHECK(errorOf("c,9,7,3,3,2,4,0,5,12,4,18,99,9,0,0,0,0\n") ==
              "t.csv:2: stride is 0, expected 1 to 1048576");
        CHECK(errorOf("c,9,7,3,3,2,4,2,5,12,4,18,99,100,0,0,0,0\n") ==
              "t.csv:2: stall_cycles is 100, expected at most the 99 of cycles");
    }

    TEST_CASE("tables of a folder are known by their names [E-3]") {
        const vnpu::test::TemporaryFolder folder;
        const std::string rows = kHeader + "g,,,,,,,,1,8,16,32,50,0,60,1,2,3\n";
        for (const char* name :
             {"scalesim_two_nets_16x16_os_user16.csv", "scalesim_net_32x32_ws.csv",
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
}

}  // namespace

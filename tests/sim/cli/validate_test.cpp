// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>
#include <string>

#include "tests/support/program.h"
#include "tests/support/text.h"

namespace {

using vnpu::test::CommandFolder;
using vnpu::test::contains;

/// Runs `vnpu validate` with the tables of `shared`/reference.
int validate(const CommandFolder& folder, const std::string& shared, const std::string& arguments) {
    return folder.system(
            fmt::format("VNPU_SHARED={} {} validate {}", shared, VNPU_PROGRAM, arguments));
}

const char* const kTable =
        "layer,ifmap_h,ifmap_w,filter_h,filter_w,channels,filters,stride,repeat,M,N,K,cycles,"
        "stall_cycles\n"
        // 40 x 40 x 48 on 16 x 16: 3 * 3 folds of 86; the table has the index of the last cycle.
        "g,,,,,,,,2,40,40,48,{},0\n";

/// A folder of tables with one layer, for which the reference has this number of cycles.
std::string sharedFolder(const CommandFolder& folder, int cycles) {
    folder.system("mkdir -p " + folder / "shared/reference");
    folder.write("shared/reference/scalesim_mine_16x16_ws.csv",
                 fmt::format(fmt::runtime(kTable), cycles));
    return folder / "shared";
}

/// The output with the lines of wrapped notes joined; where they break depends on the folder's
/// name.
std::string unwrapped(const CommandFolder& folder) {
    return std::regex_replace(folder.read("out"), std::regex("\\n +"), " ");
}

TEST_SUITE_BEGIN("sim/cli/validate");

TEST_CASE("without tables a rung uses built-in rows and says so [E-3]") {
    const CommandFolder folder;
    CHECK(validate(folder, folder / "none", "--rung systolic") == 0);
    const std::string out = folder.read("out");
    CHECK(contains(out, "query on os128"));
    CHECK(contains(out, "the tables are not here (VNPU_SHARED)"));
    CHECK(contains(out, "model over reference\n"));
    CHECK(validate(folder, folder / "none", "--rung systolic --quiet") == 0);
    CHECK_FALSE(contains(folder.read("out"), "model over reference\n"));
    CHECK(contains(
            out, "rules implemented again: 14 pass by number alone, 0 by parts that sum, 0 FAIL"));
}

TEST_CASE("tables are read and reports written [E-3][E-6]") {
    const CommandFolder folder;
    const std::string shared = sharedFolder(folder, 773);
    CHECK(validate(folder, shared,
                   fmt::format("--rung systolic --jobs 1 --csv {} --out {}", folder / "v.csv",
                               folder / "report")) == 0);
    CHECK(contains(folder.read("out"), "mine on ws16"));
    CHECK(contains(folder.read("v.csv"),
                   "rules implemented again,systolic,mine on ws16,\"MAC cycles, "
                   "device\",1548,1548,1.000000,0,pass,1 of 1 "
                   "layers equal\n"));
    CHECK(folder.read("report/validation.csv") == folder.read("v.csv"));
    CHECK(folder.read("report/validation.txt") == folder.read("out"));
    CHECK(contains(folder.read("report/validation.svg"), "</svg>"));
}

TEST_CASE("a number that differs ends the command with exit code 1 [E-3]") {
    const CommandFolder folder;
    CHECK(validate(folder, sharedFolder(folder, 774), "--rung systolic") == 1);
    CHECK(contains(unwrapped(folder), "0 of 1 layers equal, first g: 774 for 775"));
    CHECK(contains(folder.read("out"), "0 pass by number alone, 0 by parts that sum, 2 FAIL"));
}

TEST_CASE("a malformed table is reported with its place and exit code 2 [E-3]") {
    const CommandFolder folder;
    const std::string shared = sharedFolder(folder, 774);
    folder.write("shared/reference/scalesim_mine_16x16_ws.csv", "layer,M\nx,1,2\n");
    CHECK(validate(folder, shared, "--rung systolic") == 2);
    CHECK(contains(folder.read("err"), "scalesim_mine_16x16_ws.csv:2: 3 fields, expected 2"));
}

TEST_CASE("unknown rungs and invalid folders are refused [E-3]") {
    const CommandFolder folder;
    CHECK(validate(folder, folder / "none", "--rung spiral") == 2);
    folder.write("file", "");
    CHECK(validate(folder, folder / "none", "--rung systolic --out " + folder / "file") == 2);
    CHECK(contains(folder.read("err"), "no folder to write to"));
}

TEST_CASE("every point of the SRAM curve and its knee are compared [E-3]") {
    const CommandFolder folder;
    CHECK(validate(folder, folder / "none", "--rung sram --out " + folder / "report") == 0);
    CHECK(contains(folder.read("out"), "internal: 9 pass by number alone, 1 by parts that sum"));
    CHECK(contains(folder.read("report/sweep0.svg"), "KiB of SRAM"));
    CHECK(contains(folder.read("report/sweeps.csv"), "DRAM bytes"));
}

TEST_CASE("each deliberately wrong model is caught [E-3]") {
    const CommandFolder folder;
    CHECK(validate(folder, folder / "none", "--rung mutants") == 0);
    CHECK(contains(folder.read("out"), "0 by parts that sum, 0 FAIL"));
}

TEST_CASE("a wrong model or a wrong reference ends the command with exit code 1 [E-3]") {
    const CommandFolder folder;
    CHECK(validate(folder, folder / "none", "--rung latency") == 0);
    CHECK(validate(folder, folder / "none", "--rung latency --mutant latency-tenth") == 1);
    CHECK(validate(folder, folder / "none", "--rung latency --mutant none") == 2);
}

TEST_CASE("ONNXim's table makes rows of single products [E-3]") {
    const CommandFolder folder;
    const std::string shared = sharedFolder(folder, 773);
    // 16 x 16 folds of 512 rows on 32 x 32, of which the first also fills the array: 131,166.
    folder.write("shared/reference/onnxim_totals.csv",
                 "config,model,cycles,dram_read_bytes,dram_write_bytes\n"
                 "own_32x32_c1,gemm512,132391,2097152,262144\n"
                 "shipped,gemm512,9393,1048576,524288\n"
                 "own_32x32_c1,resnet18,2991610,5260416,2484736\n");
    CHECK(validate(folder, shared, "--rung onnxim") == 0);
    CHECK(contains(folder.read("out"),
                   "compiled networks against outside numbers: 1 pass by number alone, 0 by parts "
                   "that sum, 0 FAIL; geometric mean of times"));
    CHECK(contains(folder.read("out"), "class of device"));
}

TEST_SUITE_END();

}  // namespace

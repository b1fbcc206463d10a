// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/slurm/array_folder.h"

#include <doctest/doctest.h>

#include "sim/sweep/slurm/slurm_runner.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::TemporaryFolder;
using vnpu::test::writeFile;
namespace fs = std::filesystem;

std::vector<SweepJob> jobs(std::initializer_list<const char*> hashes) {
    std::vector<SweepJob> list;
    for (const char* hash : hashes) {
        list.push_back({{.scenario = "text", .file = "s.toml"}, hash});
    }
    return list;
}

TEST_SUITE_BEGIN("sim/sweep/slurm/array_folder");

TEST_CASE("another process finds the points of every task") {
    const TemporaryFolder folder;
    ArrayFolder::create(folder / "b", {}, jobs({"h1", "h2", "h3", "h4", "h5"}), 2);
    ArrayFolder::create(folder / "a", {}, jobs({"h6"}), 2).setSubmitted("17");
    fs::create_directory(folder / "c");  // the process that made it ended before its list
    const auto arrays = ArrayFolder::findIn(folder.path());
    REQUIRE(arrays.size() == 2);
    CHECK(arrays[0].name() == "a");
    CHECK(arrays[0].isSubmitted());
    CHECK_FALSE(arrays[1].isSubmitted());
    using Hashes = std::vector<std::vector<std::string>>;
    CHECK(arrays[1].tasks() == Hashes{{"h1", "h2"}, {"h3", "h4"}, {"h5"}});
    CHECK(fs::exists(arrays[1].chunkFile("2")));
    CHECK(ArrayFolder::findIn(folder / "nothing").empty());
}

TEST_CASE("a damaged list gives what is readable") {
    const TemporaryFolder folder;
    ArrayFolder::create(folder / "a", {}, jobs({"h1"}), 1);
    for (const char* text :
         {"0 h1\nx h2\n", "0 h1\n99999999999999999999999 h2\n", "0 h1\n-1 h2\n", "0 h1\n1"}) {
        CAPTURE(text);
        writeFile(folder / "a" / "points.txt", text);
        const auto arrays = ArrayFolder::findIn(folder.path());
        REQUIRE(arrays.size() == 1);
        REQUIRE(arrays[0].tasks().size() == 1);
        CHECK(arrays[0].tasks()[0] == std::vector<std::string>{"h1"});
    }
}

TEST_CASE("the reason of a failure is that of the point, or the end of the task's log") {
    const TemporaryFolder folder;
    const ArrayFolder array = ArrayFolder::create(folder / "a", {}, jobs({"h1", "h2"}), 1);
    CHECK(array.failureOf(1, "h2") == "its Slurm task ended without an answer");
    writeFile(folder / "a" / "log_1.txt", "vnpu: something\nslurmstepd: error: OUT OF MEMORY\n");
    CHECK(array.failureOf(1, "h2") ==
          "its Slurm task ended without an answer: slurmstepd: error: OUT OF MEMORY");
    writeFile(folder / "a" / "h2.error", "no such model");
    CHECK(array.failureOf(1, "h2") == "no such model");
}

TEST_CASE("removal can keep the logs") {
    const TemporaryFolder folder;
    const ArrayFolder array = ArrayFolder::create(folder / "a", {}, jobs({"h1", "h2"}), 1);
    writeFile(folder / "a" / "log_1.txt", "text");
    array.remove(true);
    CHECK(ArrayFolder::findIn(folder.path()).empty());
    CHECK(fs::exists(folder / "a" / "log_1.txt"));
    CHECK_FALSE(fs::exists(array.chunkFile("0")));
    array.remove(false);
    CHECK_FALSE(fs::exists(folder / "a"));
}

TEST_CASE("one array holds all points, and a task has work for all of its processes") {
    CHECK(chunkOf(4, 1) == 1);
    CHECK(chunkOf(1000, 1) == 1);
    CHECK(chunkOf(1001, 1) == 2);
    CHECK(chunkOf(100'000, 1) == 100);
    CHECK(chunkOf(4, 16) == 16);
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/slurm/sweep_chunk.h"

#include <doctest/doctest.h>

#include <fstream>
#include <vector>

#include "sim/sweep/content_hash.h"
#include "tests/sim/sweep/slurm/small_sweep.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::TemporaryFolder;

std::vector<SweepJob> twoJobs() {
    WorkerRequest good{.scenario =
                               "[scenario]\nname = \"s\"\nconfig = \"edge\"\ntiming_only = true\n"
                               "[[client]]\nname = \"a\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\n"
                               "arrival = \"closed_loop\"\ncount = 3\n",
                       .file = "s.toml",
                       .seed = 7};
    WorkerRequest bad = good;
    bad.scenario.replace(bad.scenario.find("ds_cnn"), 6, "absent");
    return {{good, "aa11"}, {bad, "bb22"}};
}

struct ChunkFolder {
    ChunkSettings settings() const {
        return {.program = programHash(VNPU_PROGRAM), .store = folder / "points", .jobs = 2};
    }
    TemporaryFolder folder;
    std::filesystem::path file = folder / "chunk_0.jsonl";
};

TEST_SUITE_BEGIN("sim/sweep/slurm/sweep_chunk");

TEST_CASE("answers are stored, reasons of failures are written, and stored points are not run") {
    const ChunkFolder test;
    writeChunk(test.file, test.settings(), twoJobs());
    CHECK(runChunk(test.file, VNPU_PROGRAM) == ExitCode::kFailed);
    const PointStore store(test.folder / "points");
    REQUIRE(store.find("aa11"));
    CHECK_FALSE(store.find("aa11")->figures.empty());
    CHECK_FALSE(store.find("bb22"));
    CHECK_FALSE(std::filesystem::exists(failureFile(test.folder.path(), "aa11")));
    const std::string reason = vnpu::test::readFile(failureFile(test.folder.path(), "bb22"));
    CHECK(reason.find("zoo:absent: there is no such network") != std::string::npos);

    // A mark in place of the results shows that a second run keeps what it finds.
    store.put("aa11", {.figures = {{"mark", 1.0}}});
    store.put("bb22", {.figures = {{"mark", 2.0}}});
    CHECK(runChunk(test.file, VNPU_PROGRAM) == ExitCode::kDone);
    CHECK(store.find("aa11")->figures.at(0).name == "mark");
}

TEST_CASE("a point that takes too long fails") {
    const ChunkFolder test;
    std::vector<SweepJob> jobs = {twoJobs()[0]};
    std::string& scenario = jobs[0].request.scenario;
    scenario.replace(scenario.find("count = 3"), 9, "count = 3000000");
    ChunkSettings settings = test.settings();
    settings.limit = std::chrono::milliseconds(300);
    writeChunk(test.file, settings, jobs);
    CHECK(runChunk(test.file, VNPU_PROGRAM) == ExitCode::kFailed);
    CHECK(vnpu::test::readFile(failureFile(test.folder.path(), "aa11")) ==
          "ended by signal 9: did not end within 0.3 s");
}

TEST_CASE("another version of the program is refused") {
    const ChunkFolder test;
    ChunkSettings settings = test.settings();
    settings.program = "another";
    writeChunk(test.file, settings, twoJobs());
    CHECK_THROWS_WITH_AS(
            runChunk(test.file, VNPU_PROGRAM),
            doctest::Contains("another version of the program, expected the same file"),
            InputError);
}

TEST_CASE("a missing or damaged chunk is refused with its line") {
    const ChunkFolder test;
    CHECK_THROWS_WITH_AS(runChunk(test.file), doctest::Contains("chunk_0.jsonl:1: "), InputError);
    for (const char* text : {"", "{}", "[1]\n", "{\"program\":1}\n", "nothing\n"}) {
        CAPTURE(text);
        std::ofstream(test.file) << text;
        CHECK_THROWS_WITH_AS(runChunk(test.file), doctest::Contains("chunk_0.jsonl:1: "),
                             InputError);
    }
    writeChunk(test.file, test.settings(), twoJobs());
    std::filesystem::resize_file(test.file, std::filesystem::file_size(test.file) - 20);
    CHECK_THROWS_WITH_AS(runChunk(test.file), doctest::Contains("chunk_0.jsonl:3: "), InputError);
}

TEST_SUITE_END();

}  // namespace

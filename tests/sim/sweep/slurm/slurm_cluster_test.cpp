// SPDX-License-Identifier: Apache-2.0
// `vnpu sweep --slurm` with Slurm itself on this machine.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stop_token>
#include <string>
#include <thread>

#include "tests/sim/sweep/slurm/fake_slurm.h"
#include "tests/sim/sweep/slurm/slurm_cluster.h"
#include "tests/sim/sweep/slurm/small_sweep.h"
#include "tests/support/text.h"

namespace {

using namespace vnpu::test;

constexpr std::size_t kPoints = 12;  // of the sweep: six rows with two seeds
constexpr std::size_t kAlone = 2;    // isolated times, one for each client

TEST_SUITE_BEGIN("sim/sweep/slurm_cluster");

TEST_CASE(
        "half way the controller, a node and the client are killed, and the tables are those of "
        "one machine [E-4][E-6]") {
    if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) {
        MESSAGE("skipped, there is no Slurm here: " << obstacle);
        return;
    }
    const CommandFolder folder;
    const std::string file = folder.write(
            "small.toml",
            smallSweep("[100, 200, 500, 1000, 2000, 4000]", "client.keyword.rate_hz", "2 s"));
    REQUIRE(folder.run(fmt::format("sweep {} --out {}", file, folder / "here")) == 0);

    SlurmCluster cluster;
    const std::string out = folder / "slurm";
    const std::string options =
            fmt::format("sweep {} --out {} --slurm --chunk 2 --slurm-poll '300 ms'", file, out);
    const std::string script =
            folder.write("start.sh", fmt::format("{} {} > {} 2>&1 & echo $! > {}\n", VNPU_PROGRAM,
                                                 options, folder / "killed", folder / "client"));
    REQUIRE(folder.system("sh " + script) == 0);
    waitUntil([&] { return storedCount(out) >= kAlone + 3 && !cluster.jobProcesses(0).empty(); });
    cluster.killNode(0);
    cluster.killController();
    CHECK(folder.system("kill -KILL $(cat " + (folder / "client") + ")") == 0);
    const std::size_t half = storedCount(out);
    INFO("stored when all were killed: ", half);
    CHECK(half < kAlone + kPoints);

    cluster.startController();
    waitUntil([&] { return contains(cluster.state(), "n0 down"); });
    cluster.restartNode(1);
    std::jthread administrator([&cluster](const std::stop_token& end) {
        while (!end.stop_requested()) {
            cluster.resumeNodeAndJobs(1);
        }
    });
    const int code = folder.run(options);
    administrator = {};
    INFO(folder.read("err"));
    INFO(cluster.state());
    REQUIRE(code == 0);
    checkSameTables(folder, "here", "slurm");
    CHECK(storedCount(out) == kAlone + kPoints);
    CHECK(contains(folder.read("out"), "12 points"));
}

TEST_SUITE_END();

}  // namespace

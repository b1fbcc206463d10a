// SPDX-License-Identifier: Apache-2.0
// `vnpu sweep --slurm` with programs in place of Slurm's.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/sim/sweep/slurm/fake_slurm.h"
#include "tests/sim/sweep/slurm/small_sweep.h"
#include "tests/support/text.h"

namespace {

using namespace vnpu::test;
namespace fs = std::filesystem;

/// A sweep file, the tables of one machine in the folder "here", and Slurm.
struct Sweeps {
    explicit Sweeps(const std::string& text = smallSweep(), int code = 0)
        : file(folder.write("small.toml", text)) {
        REQUIRE(folder.run(fmt::format("sweep {} --out {}", file, folder / "here")) == code);
    }

    std::string command(const std::string& options) const {
        return fmt::format("sweep {} --out {} --slurm-poll '100 ms' {}", file, folder / "slurm",
                           options);
    }
    int run(const std::string& options) const { return folder.run(command(options)); }

    /// Starts the command, kills it once Slurm has the array, and returns its process number.
    void runAndKill(const std::string& options) const {
        const std::string script = folder.write(
                "kill.sh",
                fmt::format("{} {} > {} 2>&1 & child=$!\n"
                            "until grep -q submitted {}; do sleep 0.02; done\n"
                            "kill -KILL $child\n"
                            "wait $child\n",
                            VNPU_PROGRAM, command(options), folder / "killed", folder / "killed"));
        CHECK(folder.system("sh " + script) == 128 + 9);
    }

    CommandFolder folder;
    std::string file;
    FakeSlurm slurm;
};

TEST_SUITE_BEGIN("sim/sweep/slurm");

TEST_CASE("the tables are those of one machine, and a second run submits nothing [E-4][E-6]") {
    const Sweeps sweeps;
    REQUIRE(sweeps.run("--slurm --slurm-args '--partition=long \"--mem=2 G\"' --slurm-tasks 2 "
                       "--jobs 2 --chunk 3") == 0);
    checkSameTables(sweeps.folder, "here", "slurm");
    const auto submissions = sweeps.slurm.submissions();
    REQUIRE(submissions.size() == 1);
    const auto has = [&](const std::string& word) {
        return std::ranges::find(submissions[0], word) != submissions[0].end();
    };
    CHECK(has("--array=0-1%2"));  // 4 points in tasks of 3, at most 2 at the same time
    CHECK(has("--cpus-per-task=2"));
    CHECK(has("--partition=long"));
    CHECK(has("--mem=2 G"));
    CHECK(has("--requeue"));
    CHECK(has("--chdir=" + fs::current_path().string()));
    REQUIRE(sweeps.run("--slurm") == 0);
    CHECK(contains(sweeps.folder.read("out"), "4 points, 4 of them stored before"));
    CHECK(sweeps.slurm.submissions().size() == 1);
}

TEST_CASE("after the end of the client another one takes its tasks over, and no point is twice") {
    const Sweeps sweeps;
    sweeps.slurm.set("hold");
    sweeps.runAndKill("--slurm --chunk 1");
    CHECK(storedCount(sweeps.folder / "slurm") == 2);  // the isolated times
    sweeps.slurm.clear("hold");
    REQUIRE(sweeps.run("--slurm --chunk 1") == 0);
    checkSameTables(sweeps.folder, "here", "slurm");
    CHECK(sweeps.slurm.taskCount() == 4);
    CHECK(storedCount(sweeps.folder / "slurm") == 6);
}

TEST_CASE("a task that is lost is submitted again, with its points only") {
    const Sweeps sweeps;
    sweeps.slurm.set("lose");
    REQUIRE(sweeps.run("--slurm --chunk 1") == 0);
    checkSameTables(sweeps.folder, "here", "slurm");
    CHECK_FALSE(sweeps.slurm.has("lose"));
    REQUIRE(sweeps.slurm.submissions().size() == 2);
    CHECK(sweeps.slurm.taskCount() == 5);
    CHECK(contains(sweeps.folder.read("err"),
                   "vnpu: 1 points failed and are submitted again; the first of them, in its run 1 "
                   "of 3: its Slurm task ended without an answer: slurmstepd: error: *** NODE "
                   "FAILURE ***\n"));
}

TEST_CASE("a point that fails is told, tried again, and listed as on one machine") {
    const Sweeps sweeps(smallSweep("[\"zoo:ds_cnn\", \"zoo:nothing\"]", "client.keyword.model"), 1);
    CHECK(sweeps.run("--slurm --retries 1") == 1);
    checkSameTables(sweeps.folder, "here", "slurm");
    CHECK(contains(sweeps.folder.read("out"), "zoo:nothing: there is no such network"));
    CHECK(contains(sweeps.folder.read("err"), "2 points failed and are submitted again"));
    REQUIRE(sweeps.slurm.submissions().size() == 2);
    CHECK(sweeps.slurm.taskCount() == 6);           // all, then the two again
    CHECK(sweeps.run("--slurm --retries 0") == 1);  // a later run tries them once more
    CHECK(sweeps.slurm.taskCount() == 8);
}

TEST_CASE("without a controller the sweep waits and then goes on") {
    const Sweeps sweeps;
    sweeps.slurm.set("silent");
    const std::string script = sweeps.folder.write(
            "wait.sh", fmt::format("{} {} & child=$!\n"
                                   "until grep -q 'waiting until Slurm answers' {}; do\n"
                                   "  sleep 0.02\n"
                                   "done\n"
                                   "rm $(dirname $(dirname $(which squeue)))/silent\n"
                                   "wait $child\n",
                                   VNPU_PROGRAM, sweeps.command("--slurm"), sweeps.folder / "err"));
    CHECK(sweeps.folder.system("sh " + script) == 0);
    CHECK(contains(sweeps.folder.read("err"),
                   "vnpu: squeue ended with exit code 1: squeue: error: no controller; waiting "
                   "until Slurm answers\n"));
    checkSameTables(sweeps.folder, "here", "slurm");
    CHECK(sweeps.slurm.taskCount() == 4);
}

TEST_CASE("a detached sweep returns, and the same command takes what is done") {
    const Sweeps sweeps;
    sweeps.slurm.set("hold");
    CHECK(sweeps.run("--slurm-detach") == 0);
    CHECK(contains(sweeps.folder.read("err"), "vnpu: submitted to Slurm: 0 of 4 points done"));
    CHECK(sweeps.run("--slurm-detach") == 0);
    CHECK(sweeps.slurm.taskCount() == 4);  // they still wait
    sweeps.slurm.clear("hold");
    sweeps.slurm.waitForTasks();
    CHECK(sweeps.run("--slurm-detach") == 0);
    CHECK(sweeps.slurm.taskCount() == 4);
    checkSameTables(sweeps.folder, "here", "slurm");
}

TEST_CASE("an extended sweep submits only what is new") {
    const Sweeps sweeps(smallSweep("[100, 2000, 4000]"));
    const std::string fewer = sweeps.folder.write("fewer.toml", smallSweep());
    REQUIRE(sweeps.folder.run(fmt::format("sweep {} --out {} --slurm --slurm-poll '100 ms'", fewer,
                                          sweeps.folder / "slurm")) == 0);
    REQUIRE(sweeps.run("--slurm") == 0);
    CHECK(sweeps.slurm.taskCount() == 4 + 2);
    checkSameTables(sweeps.folder, "here", "slurm");
}

TEST_CASE("a second client of the same folder is refused") {
    const Sweeps sweeps;
    const std::string out = sweeps.folder / "slurm";
    fs::create_directories(out + "/slurm");
    const std::string locked =
            fmt::format("flock {}/slurm/lock {} {}", out, VNPU_PROGRAM, sweeps.command("--slurm"));
    CHECK(sweeps.folder.system(locked) == 1);
    CHECK(sweeps.folder.read("err") ==
          fmt::format("vnpu: {}/slurm: another sweep uses this folder, expected one at a time\n",
                      out));
    CHECK(sweeps.slurm.submissions().empty());
}

TEST_CASE("a refusal of sbatch and its absence are told") {
    const Sweeps sweeps;
    sweeps.slurm.set("refuse", "sbatch: error: invalid partition specified: long\n");
    CHECK(sweeps.run("--slurm") == 1);
    CHECK(sweeps.folder.read("err") ==
          "vnpu: sbatch ended with exit code 1: sbatch: error: invalid partition specified: "
          "long\n");
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    const int code = sweeps.run("--slurm");
    setenv("PATH", path.c_str(), 1);
    CHECK(code == 1);
    CHECK(sweeps.folder.read("err") ==
          "vnpu: sbatch is not on PATH, expected the programs of Slurm (Debian: slurm-client)\n");
    sweeps.slurm.clear("refuse");
    CHECK(sweeps.run("--slurm") == 0);
    checkSameTables(sweeps.folder, "here", "slurm");
}

TEST_CASE("a wrong interval is refused") {
    const Sweeps sweeps;
    CHECK(sweeps.folder.run(fmt::format("sweep {} --slurm --slurm-poll soon --out {}", sweeps.file,
                                        sweeps.folder / "slurm")) == 2);
    CHECK(contains(sweeps.folder.read("err"), "vnpu: --slurm-poll is \"soon\", expected"));
}

TEST_SUITE_END();

}  // namespace

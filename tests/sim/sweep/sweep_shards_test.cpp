// SPDX-License-Identifier: Apache-2.0
// `vnpu sweep --shard` into one folder, and `--merge`.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <utility>

#include "tests/sim/sweep/slurm/small_sweep.h"
#include "tests/support/text.h"

namespace {

using namespace vnpu::test;
namespace fs = std::filesystem;

/// A sweep file, and the tables of one machine in the folder "here". Shards use the folder "all".
struct Shards {
    explicit Shards(const std::string& text = smallSweep("[100, 1000, 4000]"), int code = 0)
        : file(folder.write("small.toml", text)) {
        REQUIRE(folder.run(command("here", "--junit " + (folder / "here.xml"))) == code);
    }

    std::string command(const std::string& out, const std::string& options) const {
        return fmt::format("sweep {} --jobs 1 --out {} {}", file, folder / out, options);
    }
    int run(const std::string& options) const { return folder.run(command("all", options)); }
    int runShard(int number) const {
        return run(fmt::format("--shard {}/2 --junit {}", number,
                               folder / fmt::format("{}.xml", number)));
    }

    /// The names of the cases in a file of --junit.
    std::multiset<std::string> casesIn(const std::string& junit) const {
        pugi::xml_document xml;
        REQUIRE(xml.load_file((folder / junit).c_str()));
        std::multiset<std::string> names;
        for (const pugi::xpath_node& one : xml.select_nodes("//testcase")) {
            names.insert(one.node().attribute("name").value());
        }
        return names;
    }

    /// The files of the store, with the times at which they were written: a run writes one.
    std::set<std::pair<std::string, fs::file_time_type>> storedFiles() const {
        std::set<std::pair<std::string, fs::file_time_type>> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder / "all/points")) {
            if (entry.is_regular_file()) {
                files.emplace(entry.path().string(), entry.last_write_time());
            }
        }
        return files;
    }

    /// Checks that the merge runs nothing and gives the tables and cases of one machine.
    void checkMerge(int code = 0) const {
        const auto before = storedFiles();
        CHECK(run("--merge --junit " + (folder / "all.xml")) == code);
        CHECK(folder.read("err").empty());
        CHECK(storedFiles() == before);
        checkSameTables(folder, "here", "all");
        CHECK(folder.read("all/report.html") == folder.read("here/report.html"));
        CHECK(folder.read("all.xml") == folder.read("here.xml"));
    }

    CommandFolder folder;
    std::string file;
};

void checkShardsInOrder(int first, int second) {
    const Shards shards;
    CHECK(shards.runShard(first) == 0);
    CHECK_FALSE(fs::exists(shards.folder / "all/sweep.csv"));
    const std::string own = fmt::format("all/shards/{}-of-2/", first);
    const std::string table = shards.folder.read(own + "sweep.csv");
    CHECK(contains(table, "\n1000,") == (first == 2));
    const auto before = shards.storedFiles();
    CHECK(shards.runShard(second) == 0);
    CHECK(shards.folder.read(own + "sweep.csv") == table);
    for (const auto& file : before) {
        CHECK_MESSAGE(shards.storedFiles().contains(file), file.first);  // not run again
    }
    CHECK(storedCount(shards.folder / "all") == 3 * 2 + 2);  // the isolated times of two models

    auto cases = shards.casesIn("1.xml");
    CHECK(cases == std::multiset<std::string>{"rate_hz=100", "rate_hz=4000"});
    cases.merge(shards.casesIn("2.xml"));
    CHECK(cases == shards.casesIn("here.xml"));
    shards.checkMerge();
}

TEST_SUITE_BEGIN("sim/sweep/sweep_shards");

TEST_CASE("shards share the stored points, and the merge gives the bytes of one machine [E-4]") {
    checkShardsInOrder(1, 2);
}

TEST_CASE("the order of the shards does not matter [E-4]") {
    checkShardsInOrder(2, 1);
}

TEST_CASE("shards run at the same time [E-4]") {
    const Shards shards;
    const std::string script = shards.folder.write(
            "both.sh", fmt::format("{0} {1} & one=$!\n"
                                   "{0} {2} & two=$!\n"
                                   "wait $one && wait $two\n",
                                   VNPU_PROGRAM, shards.command("all", "--shard 1/2"),
                                   shards.command("all", "--shard 2/2")));
    CHECK(shards.folder.system("sh " + script) == 0);
    CHECK(storedCount(shards.folder / "all") == 3 * 2 + 2);
    shards.checkMerge();
}

TEST_CASE("the command without a shard runs the missing points only") {
    const Shards shards;
    CHECK(shards.runShard(1) == 0);
    const auto before = shards.storedFiles();
    CHECK(shards.run("") == 0);
    CHECK(contains(shards.folder.read("out"), "6 points, 4 of them stored before"));
    for (const auto& file : before) {
        CHECK_MESSAGE(shards.storedFiles().contains(file), file.first);
    }
    checkSameTables(shards.folder, "here", "all");
}

TEST_CASE("a merge without a shard's points names the rows that lack and fails") {
    const Shards shards;
    CHECK(shards.runShard(1) == 0);
    CHECK(shards.run("--merge --junit " + (shards.folder / "all.xml")) == 1);
    CHECK(shards.folder.read("err") ==
          "vnpu: 4 of 6 points are stored, the same command without --merge runs the others\n");
    CHECK(contains(shards.folder.read("all/sweep.csv"), "\n4000,2,"));
    const std::string junit = shards.folder.read("all.xml");
    CHECK(contains(junit, "tests=\"3\" failures=\"1\""));
    CHECK(contains(junit, "not all of its points were run"));
    // A folder in which no shard has begun has no isolated times either.
    CHECK(shards.folder.run(shards.command("none", "--merge")) == 1);
    CHECK(contains(shards.folder.read("err"), "vnpu: 0 of 6 points are stored"));
}

TEST_CASE("a point that failed in its shard fails in the merge, and is run again by a shard") {
    const Shards shards(smallSweep("[\"zoo:ds_cnn\", \"zoo:nothing\"]", "client.keyword.model"), 1);
    CHECK(shards.runShard(1) == 0);
    CHECK(shards.runShard(2) == 1);
    CHECK(contains(shards.folder.read("2.xml"), "zoo:nothing: there is no such network"));
    shards.checkMerge(1);
    CHECK(contains(shards.folder.read("all.xml"), "zoo:nothing: there is no such network"));
    const auto before = shards.storedFiles();
    CHECK(shards.runShard(2) == 1);
    CHECK(shards.storedFiles() != before);
    CHECK(shards.storedFiles().size() == before.size());
}

TEST_CASE("a merge takes all shards") {
    const Shards shards;
    CHECK(shards.run("--merge --shard 1/2") == 2);
    CHECK(shards.folder.read("err") ==
          "vnpu: --merge takes the points of all shards, expected no shard\n");
    CHECK(shards.run("--merge --slurm") == 2);
}

TEST_SUITE_END();

}  // namespace

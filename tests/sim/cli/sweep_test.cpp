// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"
#include "tests/support/text.h"

namespace {

using vnpu::test::CommandFolder;
using vnpu::test::contains;

const char* const kSweep = R"(
[sweep]
name = "small"
seeds = 2
baseline = { rate_hz = "100" }
columns = ["antt", "p99_ms.high", "missed"]

[[axis]]
key = "client.keyword.rate_hz"
values = [100, 4000]

[scenario]
name = "small"
duration = "20 ms"
config = "edge"
timing_only = true

[[client]]
name = "keyword"
uid = 10102
model = "zoo:ds_cnn"
priority = "high"
arrival = "poisson"
rate_hz = 200
deadline_factor = 3

[[client]]
name = "loop"
uid = 10103
model = "zoo:resnet8"
arrival = "closed_loop"
)";

TEST_SUITE_BEGIN("sim/cli/sweep");

TEST_CASE(
        "tables do not depend on the number of processes, and a second run reads stored results "
        "[E-4][E-6]") {
    const CommandFolder folder;
    const std::string sweep = folder.write("small.toml", kSweep);
    REQUIRE(folder.run(fmt::format("sweep {} --jobs 1 --out {}", sweep, folder / "a")) == 0);
    CHECK(contains(folder.read("out"), "4 points, 0 of them stored before"));
    CHECK(folder.read("err").empty());
    REQUIRE(folder.run(fmt::format("sweep {} --jobs 4 --out {}", sweep, folder / "b")) == 0);
    for (const char* file : {"sweep.txt", "sweep.csv", "points.csv", "sweep.json"}) {
        const std::string text = folder.read(std::string("a/") + file);
        CHECK_MESSAGE(!text.empty(), file);
        CHECK_MESSAGE(text == folder.read(std::string("b/") + file), file);
    }
    const std::string before = folder.read("a/sweep.json");
    REQUIRE(folder.run(fmt::format("sweep {} --json --out {}", sweep, folder / "a")) == 0);
    CHECK(folder.read("out") == before);
    REQUIRE(folder.run(fmt::format("sweep {} --out {}", sweep, folder / "a")) == 0);
    CHECK(contains(folder.read("out"), "4 points, 4 of them stored before"));

    const auto json = nlohmann::json::parse(before);
    REQUIRE(json["rows"].size() == 2);
    const auto& figures = json["rows"][1]["figures"];
    CHECK(figures["antt"]["seeds"] == 2);
    // 80 frames in 20 ms at 4000 Hz, 2 at 100 Hz.
    CHECK(figures["executions.high"]["mean"].get<double>() > 60);
    CHECK(figures["executions.high"]["ratio"].get<double>() > 10);
}

TEST_CASE("a point that fails is reported with its values and does not stop the others") {
    const CommandFolder folder;
    std::string text = kSweep;
    text.replace(text.find("client.keyword.rate_hz"), 22, "client.keyword.model");
    text.replace(text.find("[100, 4000]"), 11, "[\"zoo:ds_cnn\", \"zoo:nothing\"]");
    text.replace(text.find("{ rate_hz = \"100\" }"), 19, "{ model = \"zoo:ds_cnn\" }");
    const std::string sweep = folder.write("bad.toml", text);
    CHECK(folder.run(fmt::format("sweep {} --out {}", sweep, folder / "a")) == 1);
    CHECK(contains(folder.read("out"), "  model=zoo:nothing seed 1, 2: "));
    CHECK(contains(folder.read("out"), "zoo:nothing: there is no such network"));
    CHECK(contains(folder.read("a/sweep.csv"), "zoo:ds_cnn,2,"));
}

TEST_CASE("a filter excludes rows, and must keep some") {
    const CommandFolder folder;
    const std::string sweep = folder.write("small.toml", kSweep);
    CHECK(folder.run(fmt::format("sweep {} --filter =100 --out {}", sweep, folder / "a")) == 0);
    CHECK(contains(folder.read("out"), "2 points"));
    CHECK(folder.run(fmt::format("sweep {} --filter none --out {}", sweep, folder / "a")) == 2);
    CHECK(folder.read("err") ==
          "vnpu: --filter none: fits none of 2 cases, the first of which is rate_hz=100 "
          "(small)\n");
}

TEST_CASE("an interrupt keeps completed points, and the same command continues") {
    const CommandFolder folder;
    std::string text = kSweep;
    text.replace(text.find("duration = \"20 ms\""), 18, "duration = \"3600 s\"");
    const std::string sweep = folder.write("long.toml", text);
    // Once both isolated times are stored, the points are running; they would take hours.
    const std::string script = folder.write(
            "interrupt.sh",
            fmt::format("{0} sweep {1} --out {2} & child=$!\n"
                        "while [ $(ls {2}/points/*/*.json 2> /dev/null | wc -l) -lt 2 ]; do\n"
                        "  sleep 0.05\n"
                        "done\n"
                        "kill -INT $child\n"
                        "wait $child\n",
                        VNPU_PROGRAM, sweep, folder / "a"));
    CHECK(folder.system("sh " + script) == 1);
    CHECK(contains(folder.read("err"), "vnpu: interrupted: 0 of 4 points done"));
    CHECK(std::filesystem::exists(folder / "a/sweep.txt"));
}

TEST_CASE("a mistake in the file is reported with its place and exit code 2") {
    const CommandFolder folder;
    const std::string sweep = folder.write("bad.toml", "[sweep]\nnaem = \"x\"\n");
    CHECK(folder.run(fmt::format("sweep {} --out {}", sweep, folder / "a")) == 2);
    CHECK(folder.read("err") ==
          fmt::format("vnpu: {}:2: unknown key sweep.naem; did you mean \"name\"?\n", sweep));
}

TEST_CASE("a worker without a request reports it") {
    const CommandFolder folder;
    CHECK(folder.run("worker < /dev/null") == 2);
    CHECK(contains(folder.read("err"), "expected the request of a run"));
}

TEST_SUITE_END();

}  // namespace

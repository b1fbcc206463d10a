// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace {

using vnpu::test::CommandFolder;

const char* const kScenario = R"(
[scenario]
name = "short"
duration = "20 ms"
config = "edge"

[[client]]
name = "keyword"
uid = 10102
model = "zoo:ds_cnn"
priority = "high"
arrival = "poisson"
rate_hz = 200

[[client]]
name = "loop"
uid = 10103
model = "zoo:ds_cnn"
path = "async"
arrival = "closed_loop"
think_time = "4 ms"
)";

const std::vector<std::string> kFiles = {"summary.txt",  "layers.csv",  "jobs.csv",
                                         "metrics.json", "report.html", "trace.perfetto-trace",
                                         "trace.vcd"};

TEST_SUITE_BEGIN("sim/cli/run");

TEST_CASE("two runs with the same seed give the same bytes [E-4][E-6]") {
    const CommandFolder folder;
    const std::string scenario = folder.write("short.toml", kScenario);
    REQUIRE(folder.run(fmt::format("run {} --trace vcd,perfetto --out {}", scenario,
                                   folder / "a")) == 0);
    const std::string printed = folder.read("out");
    REQUIRE(folder.run(fmt::format("run {} --trace vcd,perfetto --quiet --explain --out {}",
                                   scenario, folder / "b")) == 0);
    for (const std::string& file : kFiles) {
        CHECK_MESSAGE(!folder.read("a/" + file).empty(), file);
        CHECK_MESSAGE(folder.read("a/" + file) == folder.read("b/" + file), file);
    }
    CHECK(printed.find("keyword  zoo:ds_cnn  high") != std::string::npos);
    CHECK(printed.ends_with("\n\n--explain: what the columns mean\n"));
    CHECK(folder.read("out").find("\n\n  frames          executed\n") != std::string::npos);
    CHECK(folder.read("err").empty());  // no progress line without a terminal
}

TEST_CASE("another seed gives different arrivals and outputs [E-4]") {
    const CommandFolder folder;
    const std::string scenario = folder.write("short.toml", kScenario);
    REQUIRE(folder.run(fmt::format("run {} --json --seed 1 --out {}", scenario, folder / "a")) ==
            0);
    const auto one = nlohmann::json::parse(folder.read("out"));
    REQUIRE(folder.run(fmt::format("run {} --json --seed 2 --out {}", scenario, folder / "b")) ==
            0);
    const auto two = nlohmann::json::parse(folder.read("out"));
    CHECK(one["seed"] == 1);
    CHECK(two["seed"] == 2);
    CHECK(one["clients"][0]["output_hash"] != two["clients"][0]["output_hash"]);
    CHECK(folder.read("a/jobs.csv") != folder.read("b/jobs.csv"));
}

TEST_CASE("timing-only mode keeps all times [E-3]") {
    const CommandFolder folder;
    const std::string scenario = folder.write("short.toml", kScenario);
    REQUIRE(folder.run(fmt::format("run {} --out {}", scenario, folder / "a")) == 0);
    REQUIRE(folder.run(fmt::format("run {} --timing-only --out {}", scenario, folder / "b")) == 0);
    CHECK(folder.read("a/jobs.csv") == folder.read("b/jobs.csv"));
    CHECK(folder.read("a/layers.csv") == folder.read("b/layers.csv"));
}

TEST_CASE("a run compares the time of the engines with an estimate of the same time [Q-5]") {
    const CommandFolder folder;
    const std::string scenario = folder.write("short.toml", kScenario);
    // Small jobs on a fast device: the controller takes a third of their time.
    REQUIRE(folder.run(fmt::format("run {} --config mobile --timing-only --no-isolated --out {}",
                                   scenario, folder / "a")) == 0);
    const nlohmann::json metrics = nlohmann::json::parse(folder.read("a/metrics.json"));
    REQUIRE(metrics["clients"].size() == 2);
    for (const nlohmann::json& client : metrics["clients"]) {
        const double measured = client["job_cycles"].get<double>() / client["jobs"].get<double>();
        const double estimate = client["estimate_cycles_per_job"].get<double>();
        CHECK(std::abs(estimate / measured - 1.0) < 0.05);  // source: estimates in validate/README
    }
}

TEST_CASE("a mistake in the scenario is reported with its place and exit code 2") {
    const CommandFolder folder;
    const std::string scenario =
            folder.write("bad.toml", "[scenario]\nname = \"x\"\ndurtion = \"1 s\"\n");
    CHECK(folder.run(fmt::format("run {} --out {}", scenario, folder / "a")) == 2);
    CHECK(folder.read("err") ==
          fmt::format("vnpu: {}:3: unknown key scenario.durtion; did you mean \"duration\"?\n",
                      scenario));
}

TEST_CASE("a missing model or configuration is reported with its place") {
    const CommandFolder folder;
    std::string text = kScenario;
    text.replace(text.find("zoo:ds_cnn"), 10, "zoo:ds_cmn");
    const std::string model = folder.write("model.toml", text);
    CHECK(folder.run(fmt::format("run {} --out {}", model, folder / "a")) == 2);
    CHECK(folder.read("err").find(fmt::format("vnpu: {}:10: client.model: ", model)) == 0);
    text = kScenario;
    text.replace(text.find("\"edge\""), 6, "\"egde\"");
    const std::string config = folder.write("config.toml", text);
    CHECK(folder.run(fmt::format("run {} --out {}", config, folder / "a")) == 2);
    CHECK(folder.read("err").find(fmt::format(
                  "vnpu: {}:5: scenario.config: configuration \"egde\" is unknown", config)) == 0);
    folder.write("file", "");
    CHECK(folder.run(fmt::format("run default --out {}", folder / "file")) == 2);
}

TEST_CASE("a window of the VCD has the given bounds, for any order of options [E-6]") {
    const CommandFolder folder;
    const std::string scenario = folder.write("short.toml", kScenario);
    REQUIRE(folder.run(fmt::format("run --trace vcd --vcd-from \"5 ms\" --vcd-to \"6 ms\" "
                                   "--out {} --timing-only {}",
                                   folder / "a", scenario)) == 0);
    const std::string dump = folder.read("a/trace.vcd");
    CHECK(dump.find("$enddefinitions $end\n#5000000\n$dumpvars\n") != std::string::npos);
    CHECK(dump.rfind("\n#6000000\n") == dump.size() - 10);
    CHECK(folder.read("a/trace.perfetto-trace").empty());
}

TEST_CASE("wrong options end with exit code 2") {
    const CommandFolder folder;
    const std::string out = folder / "a";
    CHECK(folder.run("run default --trace pefretto --out " + out) == 2);
    CHECK(folder.read("err") ==
          "vnpu: --trace is \"pefretto\", expected vcd, perfetto or both with a comma\n");
    CHECK(folder.run("run default --trace vcd --vcd-from 5ms --out " + out) == 2);
    CHECK(folder.run("run default --trace vcd --vcd-from \"5 ms\" --vcd-to \"4 ms\" --out " +
                     out) == 2);
    CHECK(folder.run("run default --config egde --out " + out) == 2);
    CHECK(folder.run("run default --seed x --out " + out) == 2);
    CHECK(folder.run("run") == 2);
}

TEST_CASE("a mistake of --fault or --set names the option, and no line of the changed text") {
    const CommandFolder folder;
    const std::string scenario = folder.write("short.toml", kScenario);
    const auto errorOf = [&](const std::string& options) {
        CHECK(folder.run(fmt::format("run {} {} --out {}", scenario, options, folder / "a")) == 2);
        return folder.read("err");
    };
    CHECK(errorOf("--fault 'kind = \"engine-slow\", operation = 3, factor = 0.5'") ==
          "vnpu: --fault kind = \"engine-slow\", operation = 3, factor = 0.5: fault.factor is 0.5, "
          "expected more than 1 and at most 1000\n");
    CHECK(errorOf("--fault 'kin = \"mmu-fault\"'").find("vnpu: --fault kin = \"mmu-fault\": ") ==
          0);
    for (const char* fault : {"", "mmu-fault", "kind = \"mmu-fault\" }, { kind = \"mmu-fault\"",
                              "kind = \"mmu-fault\" }]\n[[client]]\nname = [{ a = 1"}) {
        CAPTURE(fault);
        const std::string error = errorOf(fmt::format("--fault '{}'", fault));
        CHECK(error.find(fmt::format("vnpu: --fault {}: ", fault)) == 0);
        CHECK(error.find("short.toml") == std::string::npos);
    }
    CHECK(errorOf("--set scenario.duration=soon")
                  .find(fmt::format("vnpu: with --set scenario.duration=soon: {}: "
                                    "scenario.duration is \"soon\"",
                                    scenario)) == 0);
    CHECK(errorOf("--set client.loop.model=zoo:nothing")
                  .find(fmt::format("vnpu: {}: client.model: zoo:nothing: ", scenario)) == 0);
}

TEST_CASE("info and regs print for people and for programs") {
    const CommandFolder folder;
    CHECK(folder.run("info --config mobile") == 0);
    CHECK(folder.read("out").find("mobile: 64 x 64 MACs") == 0);
    CHECK(folder.run("info --json") == 0);
    CHECK(nlohmann::json::parse(folder.read("out"))["peaks"]["macs_per_cycle"] == 256);
    CHECK(folder.run("regs --json") == 0);
    CHECK(nlohmann::json::parse(folder.read("out"))[0]["name"] == "ID");
    CHECK(folder.run("regs") == 0);
    CHECK(folder.read("out").find("DOORBELL") != std::string::npos);
    CHECK(folder.run("info --config nothing") == 2);
}

TEST_SUITE_END();

}  // namespace

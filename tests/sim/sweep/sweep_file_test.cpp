// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_file.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/config/embedded_files.h"
#include "sim/scenario/scenario_reader.h"
#include "tests/sim/base/input_error.h"

namespace {

using namespace vnpu::sim;

const std::string kBase =
        "[scenario]\nname = \"s\"\nduration = \"1 s\"\nconfig = \"edge\"\n"
        "[[client]]\nname = \"a\"\nuid = 10101\nmodel = \"zoo:x\"\narrival = \"poisson\"\n"
        "rate_hz = 5\n";

const std::string kAxes =
        "[[axis]]\nkey = \"client.a.rate_hz\"\nvalues = [5, 7.5]\n"
        "[[axis]]\nname = \"policy\"\n"
        "[[axis.point]]\nlabel = \"plain\"\nset = { \"scheduling.policy\" = \"bands\" }\n"
        "[[axis.point]]\nlabel = \"fair\"\nset = { \"scheduling.policy\" = \"tokens\", "
        "\"scenario.duration\" = \"2 s\" }\n";

std::string sweepError(const std::string& text) {
    return vnpu::sim::test::inputErrorOf([&] { parseSweep(text, "w.toml"); });
}

std::string withHead(const std::string& head, const std::string& axes = "") {
    return "[sweep]\nname = \"w\"\n" + head + axes + kBase;
}

TEST_SUITE_BEGIN("sim/sweep/sweep_file");

TEST_CASE("the values of the axes are combined, the first changing slowest") {
    const Sweep sweep =
            parseSweep(withHead("seeds = 3\nbaseline = { policy = \"plain\" }\n", kAxes), "w.toml");
    CHECK(sweep.name == "w");
    CHECK(sweep.axes == std::vector<std::string>{"rate_hz", "policy"});
    CHECK(sweep.seeds == std::vector<std::uint64_t>{1, 2, 3});
    REQUIRE(sweep.rows.size() == 4);
    CHECK(sweep.rows[0].labels == std::vector<std::string>{"5", "plain"});
    CHECK(sweep.rows[1].labels == std::vector<std::string>{"5", "fair"});
    CHECK(sweep.rows[3].labels == std::vector<std::string>{"7.5", "fair"});
    CHECK(sweep.rows[3].describe(sweep.axes) == "rate_hz=7.5 policy=fair");
    // The baseline is the row with the baseline's policy and the same rate.
    CHECK(sweep.rows[1].baseline == 0U);
    CHECK(sweep.rows[2].baseline == 2U);
    CHECK(sweep.rows[3].baseline == 2U);
    const Scenario last = parseScenario(sweep.rows[3].scenario, sweep.file);
    CHECK(last.clients[0].rateHz == 7.5);
    CHECK(last.scheduling.policy == vnpu::fw::Policy::kTokens);
    CHECK(last.durationNs == 2'000'000'000);
    CHECK(parseScenario(sweep.rows[0].scenario, sweep.file).durationNs == 1'000'000'000);
}

TEST_CASE("without axes there is only the base") {
    const Sweep sweep = parseSweep(withHead("seeds = [4, 9]\n"), "w.toml");
    REQUIRE(sweep.rows.size() == 1);
    CHECK(sweep.rows[0].describe(sweep.axes) == "base");
    CHECK(sweep.seeds == std::vector<std::uint64_t>{4, 9});
    CHECK_FALSE(sweep.rows[0].baseline);
    CHECK_FALSE(sweep.columns.empty());
}

TEST_CASE("the base may be another file") {
    const Sweep sweep = parseSweep(
            "[sweep]\nname = \"w\"\nscenario = \"default\"\n[[axis]]\nkey = "
            "\"client.camera.rate_hz\"\nvalues = [15, 30]\n",
            "w.toml");
    CHECK(sweep.file == "default.toml");
    CHECK(sweep.rows.size() == 2);
    CHECK(sweepError("[sweep]\nname = \"w\"\nscenario = \"nothing\"\n")
                  .find("w.toml:3: sweep.scenario scenario \"nothing\" can't be read") == 0);
    CHECK(sweepError("[sweep]\nname = \"w\"\nscenario = \"default\"\n" + kBase)
                  .find("w.toml:4: unknown key scenario") == 0);
}

TEST_CASE("the shipped sweeps are valid [E-6]") {
    std::size_t count = 0;
    for (const EmbeddedFile& file : embeddedScenarios()) {
        if (file.text.find("[sweep]") == std::string_view::npos) {
            continue;
        }
        CAPTURE(file.name);
        const Sweep sweep = loadSweep(std::string(file.name));
        CHECK(sweep.name == file.name);
        CHECK(sweep.rows.size() > 1);
        ++count;
    }
    CHECK(count == 15);
}

TEST_CASE("the sweep table is required, and foreign keys are refused") {
    CHECK(sweepError(kBase) ==
          "w.toml:1: table [sweep] is missing, expected it with name and seeds");
    CHECK(sweepError(withHead("sedes = 3\n")) ==
          "w.toml:3: unknown key sweep.sedes; did you mean \"seeds\"?");
    CHECK(sweepError(withHead("seeds = 0\n")) ==
          "w.toml:3: sweep.seeds is 0, expected 1 to 10000 seeds, or a list of them");
    CHECK(sweepError(withHead("columns = [\"ant\"]\n")) ==
          "w.toml:3: sweep.columns has \"ant\", which is not a figure; did you mean \"antt\"?");
}

TEST_CASE("invalid axes are refused") {
    CHECK(sweepError(withHead("", "[[axis]]\nname = \"x\"\n")) ==
          "w.toml:3: axis.key is missing, expected a dotted key with values, or "
          "[[axis.point]]");
    CHECK(sweepError(withHead("", "[[axis]]\nkey = \"scenario.seed\"\nvalues = []\n")) ==
          "w.toml:5: axis.values is not a list, expected the values that the key takes");
    CHECK(sweepError(withHead("", "[[axis]]\nkey = \"scenario.seed\"\nvalues = [1, 1]\n")) ==
          "w.toml:3: axis seed: \"1\" is given twice, expected values that differ");
    CHECK(sweepError(withHead("", "[[axis]]\nname = \"x\"\n[[axis.point]]\nlabel = \"l\"\n"))
                  .find("axis.point.set is missing") != std::string::npos);
    const std::string axis = "[[axis]]\nkey = \"scenario.seed\"\nvalues = [1, 2]\n";
    CHECK(sweepError(withHead("", axis + axis)) ==
          "w.toml:6: axis seed is given twice, expected names that differ");
}

TEST_CASE("a value that the scenario refuses is reported with its axis") {
    CHECK(sweepError(withHead("",
                              "[[axis]]\nkey = \"scheduling.policy\"\nvalues = [\"bands\", "
                              "\"token\"]\n"))
                  .find("w.toml:3: with policy=token: w.toml:") == 0);
    CHECK(sweepError(withHead("", "[[axis]]\nkey = \"policy\"\nvalues = [\"bands\"]\n"))
                  .find("w.toml:3: axis policy: bands is \"policy\", expected scenario.KEY") == 0);
    CHECK(sweepError(withHead("", "[[axis]]\nkey = \"client.b.rate_hz\"\nvalues = [1]\n"))
                  .find("w.toml:3: axis rate_hz: 1 names client b") == 0);
}

TEST_CASE("a baseline must name existing axes and values") {
    CHECK(sweepError(withHead("baseline = { polcy = \"plain\" }\n", kAxes)) ==
          "w.toml:3: sweep.baseline names axis polcy, expected one of rate_hz, policy");
    CHECK(sweepError(withHead("baseline = { policy = \"plane\" }\n", kAxes)) ==
          "w.toml:3: sweep.baseline has policy = \"plane\", expected a value of that axis");
    CHECK(sweepError(withHead("baseline = \"plain\"\n", kAxes))
                  .find("w.toml:3: sweep.baseline is not a table") == 0);
}

TEST_CASE("an unreasonable number of points is refused") {
    std::string axes;
    for (int axis = 0; axis < 4; ++axis) {
        axes += "[[axis]]\nname = \"a" + std::to_string(axis) +
                "\"\nkey = \"scenario.seed\"\nvalues = [";
        for (int i = 0; i < 100; ++i) {
            axes += std::to_string(i) + ", ";
        }
        axes += "]\n";
    }
    CHECK(sweepError(withHead("", axes)) ==
          "w.toml:2: sweep.name has more than 1000000 points, expected fewer");
}

TEST_SUITE_END();

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// A run that fails because of a wrong result or a slow layer: its files and its comparison name the
// cause.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace {

using vnpu::test::ProgramResult;
using vnpu::test::readFile;
using vnpu::test::runVnpu;
using vnpu::test::TemporaryFolder;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Three executions of DS-CNN, with and without a fault.
class RedRun {
  public:
    RedRun() {
        std::ofstream(scenario()) << R"([scenario]
name = "night"
config = "edge"

[[client]]
name = "keyword"
uid = 10001
model = "zoo:ds_cnn"
arrival = "closed_loop"
count = 3
)";
        good_ = run("good", {});
    }

    ProgramResult run(const std::string& name, const std::vector<std::string>& options) const {
        std::vector<std::string> arguments = {"run",        scenario(), "--out",
                                              folder(name), "--junit",  folder(name) + ".xml"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return runVnpu(arguments);
    }
    ProgramResult compareWithGood(const std::string& name) const {
        return runVnpu({"compare", folder("good"), folder(name)});
    }

    const ProgramResult& good() const { return good_; }
    std::string folder(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string junit(const std::string& name) const { return readFile(folder(name) + ".xml"); }
    std::string scenario() const { return (folder_.path() / "night.toml").string(); }

  private:
    TemporaryFolder folder_;
    ProgramResult good_;
};

}  // namespace

TEST_SUITE_BEGIN("integration/red_run");

TEST_CASE("a wrong result is named by client, frame, element and values [E-7]") {
    const RedRun runs;
    REQUIRE_MESSAGE(runs.good().exitCode == 0, runs.good().errors);
    CHECK_FALSE(contains(runs.junit("good"), "<failure"));

    // In the second execution, of the last operation that the array computes.
    const ProgramResult wrong =
            runs.run("wrong", {"--fault", "kind = \"wrong-result\", operation = 11, job = 2"});
    CHECK(wrong.exitCode == 1);
    const auto metrics = nlohmann::json::parse(readFile(runs.folder("wrong") + "/metrics.json"));
    const nlohmann::json& client = metrics["clients"][0];
    CHECK(client["output_mismatches"] == 1);
    REQUIRE(client["first_mismatch"].is_string());
    const std::string text = client["first_mismatch"];
    CAPTURE(text);
    CHECK(text.starts_with("frame 1 at "));
    CHECK(contains(text, "output 0"));
    CHECK(contains(text, "element "));
    CHECK(contains(text, ", expected "));
    CHECK(contains(text, " of 12 elements differ"));

    CHECK(contains(runs.junit("wrong"), "name=\"keyword\""));
    CHECK(contains(runs.junit("wrong"), text));
    CHECK(contains(readFile(runs.folder("wrong") + "/summary.txt"), text));
    CHECK(contains(readFile(runs.folder("wrong") + "/report.html"), text));
    const ProgramResult compared = runs.compareWithGood("wrong");
    CHECK(compared.exitCode == 1);
    CHECK(contains(compared.output, "output_mismatches"));
    CHECK(contains(compared.output, text));
}

TEST_CASE(
        "a wrong result in a sweep is named by its point, client, frame, element and values "
        "[E-7]") {
    const RedRun runs;
    const auto sweep = [&](const std::string& name, int job) {
        std::string text = readFile(runs.scenario());
        text += "[sweep]\nname = \"nights\"\nseeds = [5, 6]\n[[axis]]\n"
                "key = \"client.keyword.count\"\nvalues = [2, 4]\n"
                "[[fault]]\nkind = \"wrong-result\"\noperation = 11\n"
                "job = " +
                std::to_string(job) + "\n";
        vnpu::test::writeFile(runs.folder(name) + ".toml", text);
        return runVnpu({"sweep", runs.folder(name) + ".toml", "--out", runs.folder(name), "--junit",
                        runs.folder(name) + ".xml"});
    };
    // The fourth execution is wrong, or the fifth, which no point has.
    const ProgramResult good = sweep("right", 5);
    CHECK_MESSAGE(good.exitCode == 0, good.output, good.errors);
    const ProgramResult bad = sweep("wrong", 4);
    CHECK(bad.exitCode == 1);
    const std::string text =
            "seed 5: 1 executions failed or gave other outputs, the rest is in the table; keyword: "
            "0 of 4 executions failed and 1 gave other outputs than the first, expected 0 of both; "
            "the first wrong output: frame 3 at ";
    const std::string junit = runs.junit("wrong");
    CAPTURE(junit);
    CHECK(contains(junit, "tests=\"2\" failures=\"1\""));
    const std::size_t begin = junit.find("<testcase name=\"count=4\"");
    REQUIRE(begin != junit.npos);
    const std::string point = junit.substr(begin, junit.find("</testcase>", begin) - begin);
    CHECK(contains(point, "2 of 2 points failed; " + text));
    CHECK(contains(point, ", output 0 softmax: element "));
    CHECK(contains(point, ", expected "));
    CHECK(contains(point, " of 12 elements differ)"));
    CHECK(contains(bad.output, "  count=4 seed 5: "));
    CHECK(contains(readFile(runs.folder("wrong") + "/report.html"), "frame 3 at "));
    const ProgramResult compared = runVnpu({"compare", runs.folder("right"), runs.folder("wrong")});
    CAPTURE(compared.output);
    CHECK(compared.exitCode == 1);
    CHECK(contains(compared.output, "failed_points"));
    CHECK(contains(compared.output, "point count=4: " + text));
}

TEST_CASE("a fault does not slow the isolated times, against which slowdowns are measured [E-7]") {
    const RedRun runs;
    // It lasts from the first job to the last one, and in an isolated run as well.
    const ProgramResult slow =
            runs.run("slow", {"--fault",
                              "kind = \"engine-slow\", engine = \"mac\", factor = 3, "
                              "lasting = \"1 s\""});
    CHECK_MESSAGE(slow.exitCode == 0, slow.errors);
    const auto nttOf = [&](const std::string& name) {
        const auto metrics = nlohmann::json::parse(readFile(runs.folder(name) + "/metrics.json"));
        return metrics["scheduling"]["figures"]["antt"].get<double>();
    };
    CHECK(nttOf("good") < 1.2);
    CHECK(nttOf("slow") > 1.2);
}

TEST_CASE("a layer that a tenth more time slows down is named with its cycles [E-7]") {
    const RedRun runs;
    const ProgramResult slow =
            runs.run("slow", {"--fault", "kind = \"engine-slow\", operation = 3, factor = 1.1"});
    CHECK_MESSAGE(slow.exitCode == 0, slow.errors);  // slower, but right
    const ProgramResult compared = runs.compareWithGood("slow");
    CAPTURE(compared.output);
    CHECK(compared.exitCode == 1);
    CHECK(contains(compared.output, "layer keyword: conv2_depthwise"));
    CHECK(contains(compared.output, "cycles"));
    CHECK_FALSE(contains(compared.output, "output_mismatches"));
}

TEST_CASE("a fault of an operation that the model lacks is told [E-7]") {
    const RedRun runs;
    const ProgramResult none =
            runs.run("none", {"--fault", "kind = \"wrong-result\", operation = 99"});
    CHECK(none.exitCode == 0);
    CHECK(contains(readFile(runs.folder("none") + "/summary.txt"),
                   "fault 1 (wrong-result) never happened"));
    CHECK_FALSE(contains(readFile(runs.folder("good") + "/summary.txt"), "never happened"));
}

TEST_CASE("a mistake in a fault of the command line is named [E-7]") {
    const RedRun runs;
    const ProgramResult unknown = runs.run("bad", {"--fault", "kind = \"wrong\""});
    CHECK(unknown.exitCode == 2);
    CHECK(contains(unknown.errors, "wrong-result"));
    const ProgramResult unreadable = runs.run("bad", {"--fault", "wrong-result"});
    CHECK(unreadable.exitCode == 2);
    CHECK(contains(unreadable.errors, "--fault"));
}

TEST_SUITE_END();

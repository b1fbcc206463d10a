// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario_reader.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.h"
#include "tests/sim/base/input_error.h"

namespace {

using vnpu::sim::ArrivalKind;
using vnpu::sim::ClientPath;
using vnpu::sim::ClientPriority;
using vnpu::sim::InputError;
using vnpu::sim::parseScenario;
using vnpu::sim::readScenarioText;
using vnpu::sim::Scenario;

const std::string kHead =
        "[scenario]\nname = \"s\"\nduration = \"1 s\"\nconfig = \"edge\"\n";  // lines 1 to 4

Scenario shipped(const std::string& name) {
    const vnpu::sim::ScenarioText source = readScenarioText(name);
    return parseScenario(source.text, source.file);
}

/// A scenario whose only client has these lines, from line 6 on.
std::string withClient(const std::string& lines) {
    return kHead + "[[client]]\n" + lines;
}

const std::string kCamera = "name = \"camera\"\nuid = 10101\nmodel = \"zoo:x\"\n";  // lines 6 to 8

std::string scenarioError(const std::string& text) {
    return vnpu::sim::test::inputErrorOf([&] { parseScenario(text, "dir/s.toml"); });
}

std::string stateError(const std::string& state) {
    return scenarioError(
            withClient(kCamera + "arrival = \"closed_loop\"\nstate = " + state + "\n"));
}

TEST_SUITE_BEGIN("sim/scenario/scenario_reader");

TEST_CASE("every key of a scenario is read") {
    const Scenario scenario = parseScenario(
            "[scenario]\nname = \"two\"\nduration = \"100 ms\"\nconfig = \"mine.toml\"\nseed = "
            "9\n"
            "[[client]]\nname = \"camera\"\nuid = 10101\nmodel = \"models/a.tflite\"\npriority "
            "= \"high\"\n"
            "path = \"async\"\narrival = \"periodic\"\nrate_hz = 30\nphase = \"2 "
            "ms\"\ndeadline = \"33 ms\"\ncount = 4\n"
            "[[client]]\nname = \"loop\"\nuid = 10102\nmodel = \"zoo:b\"\narrival = "
            "\"closed_loop\"\n"
            "think_time = \"1 ms\"\n"
            "[[client]]\nname = \"speech\"\nuid = 10103\nmodel = \"zoo:c\"\npriority = "
            "\"low\"\narrival = \"poisson\"\n"
            "rate_hz = 2.5\n",
            "dir/s.toml");
    CHECK(scenario.name == "two");
    CHECK(scenario.durationNs == 100'000'000);
    CHECK(scenario.config == "mine.toml");
    CHECK(scenario.configSource == "dir/mine.toml");
    CHECK(scenario.seed == 9);
    REQUIRE(scenario.clients.size() == 3);
    const auto& camera = scenario.clients[0];
    CHECK(camera.uid == 10101);
    CHECK(camera.model == "models/a.tflite");
    CHECK(camera.modelSource == "dir/models/a.tflite");
    CHECK(camera.priority == ClientPriority::kHigh);
    CHECK(camera.path == ClientPath::kAsync);
    CHECK(camera.arrival == ArrivalKind::kPeriodic);
    CHECK(camera.rateHz == 30.0);
    CHECK(camera.phaseNs == 2'000'000);
    CHECK(camera.deadlineNs == 33'000'000);
    CHECK(camera.count == 4);
    CHECK(scenario.clients[1].arrival == ArrivalKind::kClosedLoop);
    CHECK(scenario.clients[1].thinkNs == 1'000'000);
    CHECK(scenario.clients[1].modelSource == "zoo:b");
    CHECK(scenario.clients[1].priority == ClientPriority::kMedium);
    CHECK(scenario.clients[1].path == ClientPath::kSync);
    CHECK(scenario.clients[2].arrival == ArrivalKind::kPoisson);
    CHECK(scenario.clients[2].rateHz == 2.5);
}

TEST_CASE("the shipped scenario loads by name") {
    const Scenario scenario = shipped("default");
    CHECK(scenario.name == "default");
    CHECK(scenario.durationNs == 1'000'000'000);
    CHECK(scenario.clients.size() == 2);
}

TEST_CASE("an unreadable file is refused with the nearest scenario name") {
    std::string error;
    try {
        readScenarioText("defualt");
    } catch (const InputError& refusal) {
        error = refusal.what();
    }
    CHECK(error.find("scenario \"defualt\" can't be read, expected the path of a .toml file or "
                     "one of ") == 0);
    CHECK(error.find("; did you mean \"default\"?") != std::string::npos);
}

TEST_CASE("the scenario table is required") {
    CHECK(scenarioError("[[client]]\nname = \"a\"\n") ==
          "dir/s.toml:1: table [scenario] is missing, expected it with name, duration and "
          "config");
}

TEST_CASE("a client is required") {
    CHECK(scenarioError(kHead) == "dir/s.toml:1: no [[client]] table, expected at least one");
}

TEST_CASE("a client's name, uid, model and arrival are required") {
    CHECK(scenarioError(withClient("uid = 1\n")).find("dir/s.toml:5: client.name is missing") == 0);
    CHECK(scenarioError(withClient("name = \"a\"\n")).find("dir/s.toml:5: client.uid is missing") ==
          0);
    CHECK(scenarioError(withClient("name = \"a\"\nuid = 1\n"))
                  .find("dir/s.toml:5: client.model is missing") == 0);
    CHECK(scenarioError(withClient(kCamera)) ==
          "dir/s.toml:5: client.arrival is missing, expected one of periodic, closed_loop, "
          "poisson, uniform, trace");
}

TEST_CASE("an unknown table is refused") {
    CHECK(scenarioError("[scenari]\n") ==
          "dir/s.toml:1: unknown key scenari; did you mean \"scenario\"?");
}

TEST_CASE("an unknown key of a client is refused") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"closed_loop\"\npriorty = \"low\"\n")) ==
          "dir/s.toml:10: unknown key client.priorty; did you mean \"priority\"?");
}

TEST_CASE("a misspelled key is named where it is missing") {
    CHECK(scenarioError("[scenario]\nname = \"s\"\ndurtion = \"1 s\"\n") ==
          "dir/s.toml:3: unknown key scenario.durtion; did you mean \"duration\"?");
}

TEST_CASE("an unknown priority is refused") {
    CHECK(scenarioError(withClient(kCamera + "priority = \"hihg\"\n")) ==
          "dir/s.toml:9: client.priority is \"hihg\", expected one of low, medium, high; did "
          "you mean \"high\"?");
}

TEST_CASE("an unknown path is refused") {
    CHECK(scenarioError(withClient(kCamera + "path = \"bursts\"\n")) ==
          "dir/s.toml:9: client.path is \"bursts\", expected one of sync, async, burst, "
          "fenced; did you mean \"burst\"?");
}

TEST_CASE("an unknown arrival is refused") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"period\"\n")) ==
          "dir/s.toml:9: client.arrival is \"period\", expected one of periodic, closed_loop, "
          "poisson, uniform, trace; did you mean "
          "\"periodic\"?");
}

TEST_CASE("a periodic client needs a period or a rate") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"periodic\"\n")) ==
          "dir/s.toml:5: client.period is missing, expected period or rate_hz");
}

TEST_CASE("a periodic client must not have both a period and a rate") {
    CHECK(scenarioError(withClient(kCamera +
                                   "arrival = \"periodic\"\nperiod = \"1 ms\"\nrate_hz = 3\n")) ==
          "dir/s.toml:11: client.rate_hz is given together with period, expected one of the "
          "two");
}

TEST_CASE("a period is allowed only with periodic arrivals") {
    CHECK(scenarioError(withClient(kCamera +
                                   "arrival = \"poisson\"\nperiod = \"1 ms\"\nrate_hz = 3\n")) ==
          "dir/s.toml:10: client.period is not allowed with arrival = \"poisson\", expected it "
          "with \"periodic\" only");
}

TEST_CASE("a rate is not allowed with a closed loop") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"closed_loop\"\nrate_hz = 3\n")) ==
          "dir/s.toml:10: client.rate_hz is not allowed with arrival = \"closed_loop\", "
          "expected "
          "it with \"periodic\" and "
          "\"poisson\" only");
}

TEST_CASE("a think time is allowed only with a closed loop") {
    CHECK(scenarioError(withClient(
                  kCamera + "arrival = \"periodic\"\nrate_hz = 3\nthink_time = \"1 ms\"\n")) ==
          "dir/s.toml:11: client.think_time is not allowed with arrival = \"periodic\", "
          "expected "
          "it with \"closed_loop\" "
          "only");
}

TEST_CASE("a rate out of range is refused") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"poisson\"\nrate_hz = 0\n")) ==
          "dir/s.toml:10: client.rate_hz is 0, expected 0.001 to 1000000");
    CHECK(scenarioError(withClient(kCamera + "arrival = \"poisson\"\nrate_hz = nan\n"))
                  .find("client.rate_hz is nan") != std::string::npos);
}

TEST_CASE("a malformed duration is refused") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"closed_loop\"\ndeadline = \"5ms\"\n"))
                  .find("dir/s.toml:10: client.deadline is \"5ms\", expected a duration such "
                        "as \"20 ms\"") == 0);
    CHECK(scenarioError("[scenario]\nname = \"s\"\nduration = 5\n") ==
          "dir/s.toml:3: scenario.duration is an integer, expected a string");
}

TEST_CASE("a duration of zero is refused where time must pass") {
    CHECK(scenarioError("[scenario]\nname = \"s\"\nduration = \"0 s\"\n") ==
          "dir/s.toml:3: scenario.duration is zero, expected a longer duration");
}

TEST_CASE("a count of zero is refused") {
    CHECK(scenarioError(withClient(kCamera + "arrival = \"closed_loop\"\ncount = 0\n")) ==
          "dir/s.toml:10: client.count is 0, expected at least 1");
}

TEST_CASE("names that are not valid for folders or signals are refused") {
    CHECK(scenarioError("[scenario]\nname = \"../up\"\n") ==
          "dir/s.toml:2: scenario.name is \"../up\", expected 1 to 64 letters, digits, _ and "
          "-");
    CHECK(scenarioError(withClient("name = \"\"\n"))
                  .find("dir/s.toml:6: client.name is \"\", expected 1 to 64") == 0);
}

TEST_CASE("two clients with the same name are refused") {
    const std::string client = kCamera + "arrival = \"closed_loop\"\n";
    CHECK(scenarioError(withClient(client + "[[client]]\n" + client)) ==
          "dir/s.toml:11: client.name is \"camera\" twice, expected names that differ");
}

TEST_CASE("the duration may be omitted if every client has an end") {
    const std::string head = "[scenario]\nname = \"s\"\nconfig = \"edge\"\n[[client]]\n";
    CHECK(scenarioError(head + kCamera + "arrival = \"closed_loop\"\n") ==
          "dir/s.toml:1: scenario.duration is missing, expected a duration such as \"20 ms\" "
          "(a number, a space, and ns, us, ms or s; at most an hour), or a count for every "
          "client");
    const Scenario scenario =
            parseScenario(head + kCamera + "arrival = \"closed_loop\"\ncount = 3\n", "s.toml");
    CHECK(scenario.durationNs == 0);
}

TEST_CASE("the options' seed replaces the file's [E-4]") {
    const std::string text = withClient(kCamera + "arrival = \"closed_loop\"\n");
    CHECK(parseScenario(text, "s.toml").seed == 1);
    CHECK(parseScenario(text, "s.toml", {.seed = 9}).seed == 9);
}

TEST_CASE("the scheduling table and timing_only are read") {
    const Scenario scenario = parseScenario(
            "[scenario]\nname = \"s\"\nduration = \"1 s\"\nconfig = \"edge\"\ntiming_only = "
            "true\n[scheduling]\npolicy = \"tokens\"\n[[client]]\n" +
                    kCamera + "arrival = \"closed_loop\"\n",
            "s.toml");
    CHECK(scenario.timingOnly);
    CHECK(scenario.scheduling.policy == vnpu::fw::Policy::kTokens);
    CHECK(scenario.scheduling.place == "s.toml:6");
}

TEST_CASE("a sweep file is also a scenario") {
    CHECK(scenarioError("[sweep]\n[[axis]]\n" +
                        withClient(kCamera + "arrival = \"closed_loop\"\n")) == "no error");
}

TEST_CASE("a state is a list of pairs of output and input [MD-2]") {
    const Scenario scenario = shipped("recurrent");
    REQUIRE(scenario.clients[0].states.size() == 1);
    CHECK(scenario.clients[0].states[0].output == 1);
    CHECK(scenario.clients[0].states[0].input == 1);
    for (const char* wrong : {"1", "[1, 1]", "[[1]]", "[[1, 1, 1]]", "[[0, 1], 2]"}) {
        CAPTURE(wrong);
        CHECK(stateError(wrong) ==
              "dir/s.toml:10: client.state is not a list of pairs, expected [[0, 1], ...]");
    }
    CHECK(stateError("[[-1, 0]]") == "dir/s.toml:10: client.state is -1, expected 0 to 4294967295");
    CHECK(stateError("[[0, true]]") ==
          "dir/s.toml:10: client.state is a boolean, expected an integer");
}

TEST_CASE("an empty model is refused") {
    CHECK(scenarioError(withClient("name = \"a\"\nuid = 1\nmodel = \"\"\n"))
                  .find("dir/s.toml:8: client.model is empty, expected ") == 0);
}

TEST_SUITE_END();

}  // namespace

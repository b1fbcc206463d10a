// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/worker.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;

WorkerRequest shortRun() {
    return {.scenario =
                    "[scenario]\nname = \"s\"\nconfig = \"edge\"\ntiming_only = true\n"
                    "[[client]]\nname = \"a\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\n"
                    "arrival = \"closed_loop\"\ncount = 3\ndeadline_factor = 4\n",
            .file = "s.toml",
            .seed = 7,
            .isolated = {.byKey = {{"zoo:ds_cnn batch 1 sync", 40'000}}}};
}

TEST_SUITE_BEGIN("sim/sweep/worker");

TEST_CASE("requests and answers are unchanged by conversion to JSON and back") {
    WorkerRequest request = shortRun();
    request.config = "mobile";
    request.alone = "a";
    const WorkerRequest read = workerRequestFrom(toJson(request));
    CHECK(read.scenario == request.scenario);
    CHECK(read.file == "s.toml");
    CHECK(read.seed == 7U);
    CHECK(read.config == "mobile");
    CHECK(read.alone == "a");
    CHECK(read.isolated.byKey == request.isolated.byKey);
    request.seed.reset();
    CHECK_FALSE(workerRequestFrom(toJson(request)).seed);

    const WorkerAnswer answer{.isolatedNs = 5,
                              .figures = {{"antt", 1.0 / 3}, {"stp", std::nullopt}},
                              .failedExecutions = 2,
                              .failure = "a: 2 of 3 executions failed"};
    const WorkerAnswer back = answerFrom(toJson(answer));
    CHECK(back.error.empty());
    CHECK(back.isolatedNs == 5);
    CHECK(back.failedExecutions == 2);
    CHECK(back.failure == "a: 2 of 3 executions failed");
    REQUIRE(back.figures.size() == 2);
    CHECK(back.figures[0].name == "antt");  // in their order
    CHECK(back.figures[0].value == 1.0 / 3);
    CHECK_FALSE(back.figures[1].value);
}

TEST_CASE("invalid requests and answers are refused") {
    for (const char* text : {"", "{", "[]", "{}", "{\"scenario\": 1}", "null"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(workerRequestFrom(text), InputError);
        CHECK(answerFrom(text).error == "it wrote no answer");
    }
}

TEST_CASE("a failed process reports its last line as reason") {
    ProcessResult result{.isExited = true,
                         .code = 2,
                         .output = "",
                         .errors = "a warning\nvnpu: s.toml:3: no such model\n"};
    CHECK(answerOf(result).error == "s.toml:3: no such model");
    result.errors.clear();
    CHECK(answerOf(result).error == "ended with exit code 2");
    result.isExited = false;
    result.code = 9;
    CHECK(answerOf(result).error == "ended by signal 9");
}

TEST_CASE("a run is served [E-6]") {
    vnpu::test::simCase([] {
        const WorkerAnswer answer = serve(shortRun());
        std::map<std::string, std::optional<double>> figures;
        for (const Figure& figure : answer.figures) {
            figures[figure.name] = figure.value;
        }
        CHECK(figures.at("executions") == 3.0);
        CHECK(figures.at("missed") == 0.0);  // the factor became a deadline
        // Alone, at 40 us: no queueing, so close to 1.
        CHECK(*figures.at("antt") == doctest::Approx(1.0).epsilon(0.2));
        CHECK(answer.failedExecutions == 0);
    });
}

TEST_CASE("an isolated time is served [E-6]") {
    vnpu::test::simCase([] {
        WorkerRequest request = shortRun();
        request.alone = "a";
        const WorkerAnswer answer = serve(request);
        CHECK(answer.isolatedNs > 10'000);
        CHECK(answer.figures.empty());
    });
}

TEST_CASE("measuring an unknown client is refused") {
    WorkerRequest request = shortRun();
    request.alone = "b";
    CHECK_THROWS_AS(serve(request), InputError);
}

TEST_SUITE_END();

}  // namespace

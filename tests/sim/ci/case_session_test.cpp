// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/case_session.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/ci/case_files.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::CommandFolder;

constexpr CaseResult kPassed = CaseResult::kPassed;
constexpr CaseResult kFailed = CaseResult::kFailed;
constexpr CaseResult kSkipped = CaseResult::kSkipped;

void add(CaseSession& session, const std::string& name, CaseResult result,
         const std::string& message = "") {
    const CaseName caseName{.suite = "s", .name = name};
    if (session.selects(caseName)) {
        session.add({.name = caseName, .result = result, .message = message});
    }
}

std::vector<std::string> namesOf(const CaseSession& session) {
    std::vector<std::string> names;
    for (const JudgedCase& one : session.cases()) {
        names.push_back(one.outcome.name.name);
    }
    return names;
}

}  // namespace

TEST_SUITE_BEGIN("sim/ci/case_session");

TEST_CASE("a run without a failure is done; skipped cases do not count") {
    CaseSession session("conform", {});
    add(session, "a", kPassed);
    add(session, "b", kSkipped, "unsupported");
    CHECK(session.finish() == ExitCode::kDone);
    CHECK(session.notes().empty());
}

TEST_CASE("one failure fails the run") {
    CaseSession session("conform", {});
    add(session, "a", kPassed);
    add(session, "b", kFailed, "5, expected 6");
    CHECK(session.finish() == ExitCode::kFailed);
}

TEST_CASE("filter and shards select; every case that fits is in exactly one shard") {
    std::vector<std::string> all;
    for (const char* shard : {"1/2", "2/2"}) {
        CaseSession session("conform", {.filter = "^x", .shard = shard});
        for (const char* name : {"x1", "y1", "x2", "x3", "y2"}) {
            add(session, name, kPassed);
        }
        CHECK(session.finish() == ExitCode::kDone);
        for (const std::string& name : namesOf(session)) {
            all.push_back(name);
        }
    }
    CHECK(all == std::vector<std::string>{"x1", "x3", "x2"});
}

TEST_CASE("a case gets the same answer each time it is asked for") {
    CaseSession session("conform", {.shard = "2/2"});
    for (int run = 0; run < 3; ++run) {
        CHECK_FALSE(session.selects({.name = "a"}));
        CHECK(session.selects({.name = "b"}));
    }
}

TEST_CASE("a filter that fits nothing is an input error; an empty shard is none") {
    CaseSession wrong("conform", {.filter = "nothing"});
    add(wrong, "a", kPassed);
    CHECK_THROWS_AS(wrong.finish(), InputError);
    CaseSession empty("conform", {.shard = "2/2"});
    add(empty, "a", kPassed);
    CHECK(empty.finish() == ExitCode::kDone);
}

TEST_CASE("an expected failure is no failure, an unexpected pass is one") {
    const CommandFolder folder;
    const std::string list = folder.write("known.txt", "^a$\n^never$\n");
    {
        CaseSession session("conform", {.expectFail = list});
        add(session, "a", kFailed, "5, expected 6");
        CHECK(session.finish() == ExitCode::kDone);
        CHECK(session.cases().at(0).verdict == CaseVerdict::kExpectedFailure);
        CHECK(session.notes().find(list + ":2: ^never$: fits no case") != std::string::npos);
        CHECK(session.notes().find("1 expected failures, 0 unexpected") != std::string::npos);
    }
    CaseSession session("conform", {.expectFail = list});
    add(session, "a", kPassed);
    CHECK(session.finish() == ExitCode::kFailed);
    CHECK(session.notes().find("UNEXPECTED PASS a (s): passed, but " + list + ":1") !=
          std::string::npos);
}

TEST_CASE("a pattern for a case of another shard counts as used") {
    const CommandFolder folder;
    CaseSession session("conform",
                        {.shard = "1/2", .expectFail = folder.write("known.txt", "^b$\n")});
    add(session, "a", kPassed);
    add(session, "b", kFailed);
    CHECK(session.notes().find("fits no case") == std::string::npos);
}

TEST_CASE("a repeated case is one case, which fails if one run fails") {
    CaseSession session("conform", {.repeat = 3});
    add(session, "a", kPassed);
    add(session, "a", kFailed, "5, expected 6");
    add(session, "a", kPassed);
    REQUIRE(session.cases().size() == 1);
    const JudgedCase one = session.cases().front();
    CHECK(one.runs == 3);
    CHECK(one.failures == 1);
    CHECK(one.verdict == CaseVerdict::kFailed);
    CHECK(one.explanation == "1 of 3 runs failed; 5, expected 6");
}

TEST_CASE("an expected failure must fail in every run") {
    const CommandFolder folder;
    CaseSession session("conform", {.expectFail = folder.write("known.txt", "a"), .repeat = 2});
    add(session, "a", kFailed);
    add(session, "a", kPassed);
    CHECK(session.cases().front().verdict == CaseVerdict::kUnexpectedPass);
}

TEST_CASE("fail-fast stops after the first failure, not after an expected one") {
    const CommandFolder folder;
    CaseSession session("conform",
                        {.expectFail = folder.write("known.txt", "^a$"), .isFailFast = true});
    add(session, "a", kFailed);
    CHECK_FALSE(session.isStopped());
    add(session, "b", kFailed);
    CHECK(session.isStopped());
    CaseSession patient("conform", {});
    add(patient, "b", kFailed);
    CHECK_FALSE(patient.isStopped());
}

TEST_CASE("JUnit XML is written at the end, and before it says that the run did not end") {
    const CommandFolder folder;
    const std::string file = folder / "cases.xml";
    CaseSession session("conform", {.junit = file});
    REQUIRE(casesOfJunit(folder.read("cases.xml"), file).size() == 1);
    CHECK(casesOfJunit(folder.read("cases.xml"), file)[0].verdict == CaseVerdict::kFailed);
    add(session, "a", kPassed);
    add(session, "b", kFailed, "5, expected 6");
    CHECK(session.finish() == ExitCode::kFailed);
    const auto cases = casesOfJunit(folder.read("cases.xml"), file);
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].verdict == CaseVerdict::kPassed);
    CHECK(cases[1].explanation == "5, expected 6");
}

TEST_CASE("JSON lines are there as soon as a case has ended") {
    const CommandFolder folder;
    CaseSession session("conform", {.jsonLines = folder / "cases.jsonl"});
    add(session, "a", kPassed);
    CHECK(nlohmann::json::parse(folder.read("cases.jsonl"))["result"] == "passed");
    add(session, "b", kFailed);
    std::istringstream lines(folder.read("cases.jsonl"));
    std::string line;
    int count = 0;
    while (std::getline(lines, line)) {
        ++count;
    }
    CHECK(count == 2);
}

TEST_CASE("work that throws is the failure of the case that had begun") {
    const CommandFolder folder;
    CaseSession session("conform", {.junit = folder / "cases.xml"});
    CHECK_THROWS_AS(session.run([&] {
        session.begin({.suite = "s", .name = "a"});
        throw std::runtime_error("the device is gone");
    }),
                    std::runtime_error);
    const auto cases = casesOfJunit(folder.read("cases.xml"), "cases.xml");
    REQUIRE(cases.size() == 1);
    CHECK(cases[0].outcome.name.name == "a");
    CHECK(cases[0].explanation == "the device is gone");
}

TEST_CASE("files that cannot be written and wrong options are input errors before the first case") {
    CHECK_THROWS_AS(CaseSession("run", {.junit = "/nowhere/cases.xml"}), InputError);
    CHECK_THROWS_AS(CaseSession("run", {.jsonLines = "/nowhere/cases.jsonl"}), InputError);
    CHECK_THROWS_AS(CaseSession("run", {.expectFail = "/nowhere/known.txt"}), InputError);
    CHECK_THROWS_AS(CaseSession("run", {.timeout = "soon"}), InputError);
    CHECK_THROWS_AS(CaseSession("run", {.timeout = "0 s"}), InputError);
    CHECK_THROWS_AS(CaseSession("run", {.filter = "a("}), InputError);
}

TEST_SUITE_END();

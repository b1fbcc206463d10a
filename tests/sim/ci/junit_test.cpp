// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/ci/case_files.h"

namespace {

using namespace vnpu::sim;

JudgedCase caseOf(const std::string& suite, const std::string& name, CaseVerdict verdict,
                  const std::string& explanation = "") {
    return {.outcome = {.name = {.suite = suite, .name = name},
                        .time = std::chrono::duration<double>(0.25)},
            .verdict = verdict,
            .runs = 1,
            .explanation = explanation};
}

pugi::xml_document parsed(const std::string& text) {
    pugi::xml_document document;
    REQUIRE(document.load_string(text.c_str()));
    return document;
}

std::string at(const pugi::xml_document& document, const char* path) {
    const pugi::xpath_node node = document.select_node(path);
    REQUIRE_MESSAGE(node, path);
    return node.attribute().value();
}

}  // namespace

TEST_SUITE_BEGIN("sim/ci/junit");

TEST_CASE("suites and cases are counted and keep their order") {
    const auto document = parsed(junitXml(
            "conform", {caseOf("sync", "add", CaseVerdict::kPassed),
                        caseOf("async", "add", CaseVerdict::kFailed, "output 0: 5, expected 6"),
                        caseOf("sync", "mul", CaseVerdict::kSkipped, "unsupported"),
                        caseOf("sync", "sub", CaseVerdict::kExpectedFailure, "as known:1"),
                        caseOf("sync", "div", CaseVerdict::kUnexpectedPass, "passed")}));
    CHECK(at(document, "/testsuites/@tests") == "5");
    CHECK(at(document, "/testsuites/@failures") == "2");
    CHECK(at(document, "/testsuites/@skipped") == "2");
    CHECK(at(document, "/testsuites/@time") == "1.250000");
    CHECK(at(document, "/testsuites/testsuite[1]/@name") == "conform: sync");
    CHECK(at(document, "/testsuites/testsuite[1]/@tests") == "4");
    CHECK(at(document, "/testsuites/testsuite[2]/@failures") == "1");
    CHECK(at(document, "/testsuites/testsuite[1]/testcase[2]/@name") == "mul");
    CHECK(at(document, "//testcase[@name='add'][failure]/@classname") == "async");
    CHECK(at(document, "//testcase[@name='add']/failure/@message") == "output 0: 5, expected 6");
    CHECK(at(document, "//testcase[@name='sub']/skipped/@type") == "expected failure");
    CHECK(at(document, "//testcase[@name='div']/failure/@type") == "unexpected pass");
}

TEST_CASE("hostile names and messages come back unchanged or replaced") {
    const std::string hostile = "<a href=\"x\">&amp; ]]> 'quoted' \xE2\x82\xAC";
    const std::string broken = std::string("nul \0 esc \x1B bad \xFF", 17);
    const auto document =
            parsed(junitXml("run", {caseOf(hostile, hostile, CaseVerdict::kFailed, hostile),
                                    caseOf("b", "c", CaseVerdict::kFailed, broken)}));
    CHECK(at(document, "//testcase[1]/@name") == hostile);
    CHECK(at(document, "//testcase[1]/failure/@message") == hostile);
    CHECK(at(document, "//testcase[@name='c']/failure/@message") ==
          "nul \xEF\xBF\xBD esc \xEF\xBF\xBD bad \xEF\xBF\xBD");
}

TEST_CASE("the message is the first line; the text has all lines and the place") {
    JudgedCase one = caseOf("s", "n", CaseVerdict::kFailed, "first\nsecond");
    one.outcome.name.file = "vectors/add.cbor";
    const auto document = parsed(junitXml("conform", {one}));
    CHECK(at(document, "//failure/@message") == "first");
    CHECK(std::string(document.select_node("//failure").node().text().get()) ==
          "vectors/add.cbor: n (s): first\nsecond");
}

TEST_CASE("what was written is read back") {
    JudgedCase one = caseOf("s", "n", CaseVerdict::kExpectedFailure, "as known:1 expects: 5");
    one.outcome.figures = {{"p99_ms", "3.5"}};
    const auto cases =
            casesOfJunit(junitXml("run", {one, caseOf("s", "m", CaseVerdict::kPassed)}), "f.xml");
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].verdict == CaseVerdict::kExpectedFailure);
    CHECK(cases[0].outcome.name.text() == "n (s)");
    CHECK(cases[0].outcome.figures == one.outcome.figures);
    CHECK(cases[0].outcome.time.count() == doctest::Approx(0.25));
    CHECK(cases[1].verdict == CaseVerdict::kPassed);
}

TEST_CASE("what other programs write is read") {
    const auto cases = casesOfJunit(
            "<testsuite name='x'><testcase classname='c' name='a'><error message='boom'/>"
            "</testcase><testcase classname='c' name='b'><failure>words</failure></testcase>"
            "</testsuite>",
            "f.xml");
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].verdict == CaseVerdict::kFailed);
    CHECK(cases[0].explanation == "boom");
    CHECK(cases[1].explanation == "words");
}

TEST_CASE("a file that is no JUnit XML is an input error") {
    for (const char* text : {"", "<testsuites>", "<html/>", "{}"}) {
        CHECK_THROWS_AS(casesOfJunit(text, "f.xml"), InputError);
    }
}

TEST_CASE("files are joined: equal suites become one, and all is counted") {
    const std::string one = junitXml("t", {caseOf("a", "1", CaseVerdict::kPassed),
                                           caseOf("b", "2", CaseVerdict::kFailed, "x\ny")});
    const std::string two = junitXml("t", {caseOf("b", "3", CaseVerdict::kSkipped, "z")});
    const auto document = parsed(mergedJunit("t", {one, two}));
    CHECK(at(document, "/testsuites/@tests") == "3");
    CHECK(at(document, "/testsuites/@failures") == "1");
    CHECK(at(document, "/testsuites/@skipped") == "1");
    CHECK(at(document, "/testsuites/@time") == "0.750000");
    CHECK(document.select_nodes("/testsuites/testsuite").size() == 2);
    CHECK(at(document, "/testsuites/testsuite[2]/@tests") == "2");
    CHECK(at(document, "/testsuites/testsuite[2]/testcase[2]/@name") == "3");
    CHECK(std::string(document.select_node("//failure").node().text().get()) == "2 (b): x\ny");
    CHECK_THROWS_AS(mergedJunit("t", {one, "no XML"}), InputError);
}

TEST_CASE("a JSON line has the case, its result and its figures") {
    CaseOutcome outcome{.name = {.suite = "s", .name = "n\n\xFF"},
                        .result = CaseResult::kFailed,
                        .message = "5, expected 6",
                        .figures = {{"p99_ms", "3.5"}}};
    const std::string line = jsonLine(outcome, CaseVerdict::kFailed);
    CHECK(line.find('\n') == line.size() - 1);
    const auto json = nlohmann::json::parse(line);
    CHECK(json["name"] == "n\n\xEF\xBF\xBD");
    CHECK(json["suite"] == "s");
    CHECK(json["result"] == "failed");
    CHECK(json["message"] == "5, expected 6");
    CHECK(json["figures"]["p99_ms"] == "3.5");
    CHECK_FALSE(json.contains("file"));
}

TEST_SUITE_END();

// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/case_options.h"

#include <fmt/format.h>

#include <cstdio>

namespace vnpu::sim {

namespace {

constexpr const char* kGroup = "Cases";
constexpr std::uint64_t kMostRepeats = 1'000'000;  // chosen: more is a typing mistake

}  // namespace

void addCaseOptions(CLI::App& command, CaseOptions& options, const CaseOptionSet& set) {
    const auto text = [&](const char* name, std::string& value, const char* type,
                          const char* help) {
        command.add_option(name, value, help)->type_name(type)->group(kGroup);
    };
    if (set.isSelectable) {
        text("--filter", options.filter, "REGEX",
             "Only cases in whose name, or \"NAME (SUITE)\", this extended regular expression is "
             "found");
        text("--shard", options.shard, "I/N",
             "Only part I of N, so that N machines share the cases (default: GTEST_SHARD_INDEX "
             "and GTEST_TOTAL_SHARDS)");
        command.add_flag("--fail-fast", options.isFailFast, "Stop after the first failure")
                ->group(kGroup);
    }
    if (set.isRepeatable) {
        command.add_option("--repeat", options.repeat, "Run all cases N times")
                ->type_name("N")
                ->check(CLI::Range(std::uint64_t{1}, kMostRepeats).description(""))
                ->group(kGroup);
    }
    text("--expect-fail", options.expectFail, "FILE",
         "Failures that are expected: an expression as for --filter on each line, \"#\" for "
         "comments; a case that passes nevertheless fails the run");
    if (set.isTimed) {
        text("--timeout", options.timeout, "TIME",
             "Longest time on the wall clock that a case may take, such as \"30 s\"");
    }
    text("--junit", options.junit, "FILE", "Write the cases as JUnit XML for a CI system");
    text("--json-lines", options.jsonLines, "FILE",
         "Write each case as a line of JSON as soon as it has ended");
}

ExitCode runSession(CaseSession& session, bool isJson, const std::function<void()>& work) {
    return session.run([&] {
        work();
        fmt::print(isJson ? stderr : stdout, "{}", session.notes());
    });
}

}  // namespace vnpu::sim

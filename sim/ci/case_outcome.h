// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vnpu::sim {

/// A case is one thing that a command checks: an example model, a client of a run, a row of a
/// table. Suite, name and file together are unique within a command's run.
struct CaseName {
    std::string suite{};  // cases of one kind: a flavor, a rung, a scenario; may be empty
    std::string name{};
    std::string file{};  // that the case comes from; may be empty

    /// "NAME (SUITE)"; "NAME" without a suite.
    std::string text() const { return suite.empty() ? name : name + " (" + suite + ")"; }
    auto operator<=>(const CaseName&) const = default;
};

enum class CaseResult : std::uint8_t {
    kPassed,
    kFailed,
    kSkipped,  // it does not apply, or the device does not support it
};

/// One run of a case.
struct CaseOutcome {
    CaseName name{};
    CaseResult result = CaseResult::kPassed;
    /// Of a failure: what, where, and the expected value; of a skipped case: the reason.
    std::string message{};
    /// Numbers of the case, by name.
    std::vector<std::pair<std::string, std::string>> figures{};
    std::chrono::duration<double> time{};  // on the wall clock; 0 where it was not measured
};

/// The result of all runs of a case, held against the list of expected failures.
enum class CaseVerdict : std::uint8_t {
    kPassed,
    kFailed,
    kSkipped,
    kExpectedFailure,
    kUnexpectedPass,
};

/// "passed", "failed", "skipped", "expected failure", "unexpected pass".
constexpr const char* nameOf(CaseVerdict verdict) {
    constexpr const char* kNames[] = {"passed", "failed", "skipped", "expected failure",
                                      "unexpected pass"};
    return kNames[static_cast<std::size_t>(verdict)];
}

/// Whether a case with this verdict makes the command fail.
constexpr bool isBad(CaseVerdict verdict) {
    return verdict == CaseVerdict::kFailed || verdict == CaseVerdict::kUnexpectedPass;
}

struct JudgedCase {
    /// Of the first run that failed, or else of the last one; `time` is that of all runs.
    CaseOutcome outcome{};
    CaseVerdict verdict = CaseVerdict::kPassed;
    unsigned runs = 0;
    unsigned failures = 0;  // of the runs
    /// What the verdict rests on, for reports: the message, the place in the list of expected
    /// failures, and the number of failed runs if there were several.
    std::string explanation{};
};

}  // namespace vnpu::sim

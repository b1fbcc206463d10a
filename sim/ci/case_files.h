// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/ci/case_outcome.h"

namespace vnpu::sim {

/// The cases as JUnit XML, the form that CI systems read: a suite for each suite of the cases, in
/// the order of their first case. An expected failure is a skipped case, as the format has no such
/// verdict; an unexpected pass is a failure. Characters that XML does not allow are replaced. Times
/// are the only bytes that differ between equal runs.
std::string junitXml(const std::string& command, const std::vector<JudgedCase>& cases);

/// Files of junitXml() as one: suites of the same name are joined, and all are counted again.
/// Throws InputError for a text that is no JUnit XML.
std::string mergedJunit(const std::string& command, const std::vector<std::string>& texts);

/// One run of a case as one line of JSON.
std::string jsonLine(const CaseOutcome& outcome, CaseVerdict verdict);

/// The cases of JUnit XML, also of other programs: `runs` is 1, an error counts as a failure.
/// Throws InputError with `file` and the place of a mistake.
std::vector<JudgedCase> casesOfJunit(std::string_view text, const std::string& file);

}  // namespace vnpu::sim

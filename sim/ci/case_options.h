// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "sim/ci/case_session.h"

namespace vnpu::sim {

/// Which of the options a command has.
struct CaseOptionSet {
    bool isSelectable = true;  // --filter, --shard and --fail-fast: its cases are independent
    bool isRepeatable = true;  // --repeat: a second run may end differently
    bool isTimed = true;       // --timeout
};

/// --expect-fail, --junit and --json-lines, and those of the set.
void addCaseOptions(CLI::App& command, CaseOptions& options, const CaseOptionSet& set = {});

/// Runs the work of a command and then prints the notes of the session: to the standard error if
/// the standard output is JSON.
ExitCode runSession(CaseSession& session, bool isJson, const std::function<void()>& work);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/ci/case_session.h"
#include "sim/report/run_report.h"
#include "sim/results/result_store.h"
#include "sim/sweep/run_sweep.h"
#include "sim/validate/check.h"

namespace vnpu::sim {

// Each function adds one run to a file of results. `label` is the user's name of the run. They
// throw InputError if the file cannot be written.

/// `vnpu run` in virtual time.
void storeRun(ResultStore& store, const std::string& label, const RunReport& report,
              const std::vector<JudgedCase>& cases);
/// `vnpu run --live`: what clients observe.
void storeLiveRun(ResultStore& store, const std::string& label, const RunReport& report,
                  const std::vector<JudgedCase>& cases);
/// `vnpu sweep`: the points that are done.
void storeSweep(ResultStore& store, const std::string& label, const Sweep& sweep,
                const SweepOutcome& outcome, const std::vector<JudgedCase>& cases);
/// `vnpu validate`.
void storeChecks(ResultStore& store, const std::string& label, const std::vector<Check>& checks,
                 const std::vector<JudgedCase>& cases);
/// A command whose results are its cases.
void storeCases(ResultStore& store, const std::string& label, const std::string& command,
                const std::string& subject, const std::vector<JudgedCase>& cases);

}  // namespace vnpu::sim

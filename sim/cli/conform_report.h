// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/conform/conform_run.h"

namespace vnpu::sim {

struct ConformReportOptions {
    bool isVerbose = false;
    bool isJson = false;
    bool isQuiet = false;  // without the meaning of the columns
};

/// Prints the failures, on demand the unsupported models, a table of the flavors if there are
/// several, and the sums as the last line; or one JSON object with all of it.
void printConformance(const std::vector<ConformTally>& tallies,
                      const ConformReportOptions& options);

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/conform/conform_run.h"

namespace vnpu::sim {

struct ConformReportOptions {
    bool isVerbose = false;
    bool isJson = false;
};

/// What failed, what is unsupported if wanted, a table of the flavours if there are several, and
/// the sums as the last line; or one JSON object with all of it.
void printConformance(const std::vector<ConformTally>& tallies,
                      const ConformReportOptions& options);

/// One line on a terminal that follows the run; nothing elsewhere.
class ConformProgress {
  public:
    ConformProgress();
    ~ConformProgress() { clear(); }
    ConformProgress(const ConformProgress&) = delete;
    ConformProgress& operator=(const ConformProgress&) = delete;

    std::function<void(std::size_t, std::size_t, const std::string&, const ConformSum&)> follower()
            const;
    void clear() const;

  private:
    const bool isShown_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/name_filter.h"
#include "sim/ci/case_outcome.h"

namespace vnpu::sim {

/// Whether an expression of --filter or of a list of expected failures fits a case: it is found in
/// its name, or in "NAME (SUITE)".
bool fits(const NameFilter& filter, const CaseName& name);

/// A file with a pattern on each line, as for --filter. The rest of a line after "#" at its
/// beginning or after a blank is a comment. One thread.
class ExpectedFailures {
  public:
    ExpectedFailures() = default;
    /// Throws InputError for a malformed expression, with the line.
    ExpectedFailures(std::string_view text, const std::string& file);
    /// Reads the file; throws InputError if it cannot be read.
    static ExpectedFailures load(const std::string& file);

    /// "FILE:LINE" of the first pattern that fits the case; empty if none does.
    std::string placeOf(const CaseName& name);
    /// "FILE:LINE: PATTERN" of each pattern that fitted no case so far.
    std::vector<std::string> unused() const;

  private:
    struct Pattern {
        std::string place, text;
        NameFilter filter;
        bool isUsed = false;
    };
    std::vector<Pattern> patterns_;
};

}  // namespace vnpu::sim

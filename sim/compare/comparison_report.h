// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "sim/compare/comparison.h"

namespace vnpu::sim {

/// The comparison for people, at most 120 columns wide: a table of the changes, worst first, at
/// most `most` of each verdict; rows that were added or removed; the counts; what the quantities of
/// the table mean.
std::string comparisonText(const Comparison& comparison, std::size_t most);

/// All of it for programs.
std::string comparisonJson(const Comparison& comparison);

}  // namespace vnpu::sim

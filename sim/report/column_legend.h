// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// What the columns of clientTable() mean, a line for each.
std::string clientLegend();

/// What every column and figure of summary.txt means, by table.
std::string summaryLegend();

}  // namespace vnpu::sim

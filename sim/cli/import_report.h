// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/import/graph/report.h"

namespace vnpu::sim {

/// A model that `vnpu check` examined.
struct CheckedModel {
    std::string name;
    graph::Report report;
    std::string error;  // not empty: the file is broken, or the driver refuses the model

    bool runs() const { return error.empty() && report.isComplete(); }
};

/// A line per model.
std::string checkTable(const std::vector<CheckedModel>& models);
/// A line per kind of unsupported operator of each model: how often, why, and the share of the
/// multiply-accumulates that runs without it.
std::string unsupportedText(const std::vector<CheckedModel>& models);
std::string checkJson(const std::vector<CheckedModel>& models);

}  // namespace vnpu::sim

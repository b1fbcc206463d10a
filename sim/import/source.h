// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/import/graph/report.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// Loads `MODEL.tflite` or `MODEL.onnx`, or builds `zoo:NAME` or `zoo:NAME:STEPS`. Throws
/// InputError, which names all operators that are not supported.
Network loadNetwork(const std::string& source, const NetworkOptions& options = {});

/// The same with a report in place of the error about operators; all those of zoo networks are
/// supported. Throws InputError for a broken file.
graph::ImportResult importModel(const std::string& source, const NetworkOptions& options = {});

/// Names that `zoo:` takes, in alphabetical order.
std::vector<std::string> zooNames();

}  // namespace vnpu::sim

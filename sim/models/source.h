// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

/// Loads `MODEL.tflite` or builds `zoo:NAME` or `zoo:NAME:STEPS`. Throws InputError.
Network loadNetwork(const std::string& source, const NetworkOptions& options = {});

/// Names that `zoo:` takes, in alphabetical order.
std::vector<std::string> zooNames();

}  // namespace vnpu::sim

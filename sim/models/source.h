// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

struct NetworkOptions {
    std::uint64_t seed = 1;  // of a zoo network's weights
    bool exposeIntermediates =
            false;  // every operation's output becomes a model output too, in operation order
    bool zeroWeights = false;  // zoo: leave the weights zero (timing-only runs)
    std::uint32_t batch = 1;   // zoo: inputs of one inference
    std::uint32_t steps = 30;  // zoo networks over a sequence; a name with :N sets it
};

/// Loads `MODEL.tflite` or builds `zoo:NAME` or `zoo:NAME:STEPS`. Throws InputError.
Network loadNetwork(const std::string& source, const NetworkOptions& options = {});

/// Names that `zoo:` takes, in alphabetical order.
std::vector<std::string> zooNames();

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/conform/vector_file.h"
#include "sim/platform/platform.h"

namespace vnpu::test {

/// Runs `body` as a client of a simulated device, in a process of its own. A device is a
/// configuration by name.
void onDevice(const hw::NpuConfig& config, const std::function<void(sim::ClientContext&)>& body);
void onEdge(const std::function<void(sim::ClientContext&)>& body);

/// Runs `body` for every NNAPI example that the edge device takes and that is not expected to fail;
/// fails the test if it does not take them all. Says so and does nothing where there are
/// no examples.
void onSupportedExamples(
        const std::function<void(sim::ClientContext& context, const sim::Example& example,
                                 const sim::nn::Model& model)>& body);

}  // namespace vnpu::test

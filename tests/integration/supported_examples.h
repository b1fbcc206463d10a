// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/conform/vector_file.h"
#include "sim/platform/platform.h"

namespace vnpu::test {

/// Models in the folder nnapi_vectors.
inline constexpr std::size_t kAllModels = 6802;
inline constexpr std::size_t kUnsupported = 6;  // of those that are expected to fail
inline constexpr std::size_t kSupported = kAllModels - kUnsupported;

/// Runs `body` as a client of a simulated device, in its own process. The device is a configuration
/// by name.
void onDevice(const hw::NpuConfig& config, const std::function<void(sim::ClientContext&)>& body);
void onEdge(const std::function<void(sim::ClientContext&)>& body);

/// Runs `body` for every NNAPI example that the edge device supports and that is not expected to
/// fail; fails the test if a supported example is missing. Without examples it prints a notice and
/// does nothing.
void onSupportedExamples(
        const std::function<void(sim::ClientContext& context, const sim::Example& example,
                                 const sim::nn::Model& model)>& body);

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/device_info.h"
#include "sim/client/device_calls.h"
#include "sim/conform/vector_file.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

enum class Verdict { kPassed, kFailed, kUnsupported };

struct ExampleOutcome {
    Verdict verdict = Verdict::kPassed;
    std::string detail;                // why it failed, or what is unsupported
    std::string unsupportedOperation;  // type of the first operation that the device does not take
};

/// Runs one example through the device's HAL: getSupportedOperations_1_3, prepareModel_1_3, one
/// execution, comparison. On the client's own thread.
ExampleOutcome runExample(ClientContext& context, const Example& example, ExecutionPath path);

/// The .cbor files below `folder` in the order of their paths; `folder` may be a single file.
/// InputError if there is none.
std::vector<std::string> findVectorFiles(const std::string& folder);

}  // namespace vnpu::sim

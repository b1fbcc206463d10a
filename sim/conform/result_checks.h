// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/client/device_calls.h"
#include "sim/conform/example_memory.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

// Conditions of an execution. Each function returns an empty string, or the first violation.

/// Whether the vectors give the complete shapes of all outputs; they do not for empty results.
bool areOutputsKnown(const Example& example);

std::string checkStatus(const CallResult& result, nn::ErrorStatus expected);

/// A failure reports no shapes and no times.
std::string checkSilence(const CallResult& result);

/// Times are reported if and only if they are asked for, and the time on the device is within that
/// in the driver.
std::string checkTiming(const CallResult& result, bool isMeasured);

/// The shapes of all outputs are reported, and all are sufficient. They may be left out if
/// `areOptional`.
std::string checkShapes(const Example& example, const CallResult& result, bool areOptional);

/// The shapes of all outputs are reported, and only the first is insufficient.
std::string checkShortShapes(const Example& example, const CallResult& result);

/// The outputs have the expected values, and nothing else was written.
std::string checkOutputs(const Example& example, const ExampleMemory& memory);

}  // namespace vnpu::sim

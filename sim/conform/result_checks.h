// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/client/device_calls.h"
#include "sim/conform/example_memory.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

// What has to hold of an execution. Each gives the empty string, or the first thing that is wrong.

/// Whether the vectors give all outputs' shapes in full: not those of empty results.
bool areOutputsKnown(const Example& example);

std::string checkStatus(const CallResult& result, nn::ErrorStatus expected);

/// A failure tells no shapes and no times.
std::string checkSilence(const CallResult& result);

/// Times are told if and only if they are wanted, and the device's is within the driver's.
std::string checkTiming(const CallResult& result, bool isMeasured);

/// The shapes of all outputs, which all are sufficient. They may be left out if `areOptional`.
std::string checkShapes(const Example& example, const CallResult& result, bool areOptional);

/// The shapes of all outputs, of which only the first is not sufficient.
std::string checkShortShapes(const Example& example, const CallResult& result);

/// The outputs' values, and that nothing else was written.
std::string checkOutputs(const Example& example, const ExampleMemory& memory);

}  // namespace vnpu::sim

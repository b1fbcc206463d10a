// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <string>
#include <vector>

#include "sim/client/device_calls.h"
#include "sim/conform/example_request.h"

namespace vnpu::test {

/// Everything that an execution tells its caller, however it tells it.
struct RecordedExecution {
    sim::nn::ErrorStatus launch = sim::nn::ErrorStatus::NONE;  // what the method returned
    sim::nn::ErrorStatus status = sim::nn::ErrorStatus::NONE;  // what came of it
    std::vector<sim::nn12::OutputShape> shapes;
    sim::nn12::Timing timing{UINT64_MAX, UINT64_MAX};
    int answers = 0;  // callbacks called
    android::hardware::hidl_handle fence;
    bool hasInfo = false;  // an IFencedExecutionCallback was given out

    /// Refused on the spot with this status, in every way that the path has, and nothing else told.
    bool isRefused(sim::ExecutionPath path, sim::nn::ErrorStatus expected) const;
    /// No shapes and no times.
    bool isSilent() const;
};

struct RecordingOptions {
    sim::ExecutionPath path = sim::ExecutionPath::kSync;
    sim::nn12::MeasureTiming measure = sim::nn12::MeasureTiming::NO;
    sim::nn::OptionalTimePoint deadline{};
    android::hardware::hidl_vec<android::hardware::hidl_handle> waitFor{};  // of fenced ones
};

/// Executes by one of the paths of HAL 1.3 and waits for the end.
RecordedExecution recordExecution(sim::ClientContext& context,
                                  const android::sp<sim::nn::IPreparedModel>& model,
                                  const sim::nn::Request& request, const RecordingOptions& options);

/// Empty, or the first output that is not what the example expects.
std::string compareOutputs(const sim::Example& example, const sim::ExampleRequest& request);

}  // namespace vnpu::test

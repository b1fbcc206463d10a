// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <string>
#include <vector>

#include "sim/client/device_calls.h"
#include "sim/conform/example_request.h"

namespace vnpu::test {

/// All results of an execution as its caller receives them, for any path.
struct RecordedExecution {
    sim::nn::ErrorStatus launch = sim::nn::ErrorStatus::NONE;  // the result of the method
    sim::nn::ErrorStatus status = sim::nn::ErrorStatus::NONE;  // the result of the execution
    std::vector<sim::nn12::OutputShape> shapes;
    sim::nn12::Timing timing{UINT64_MAX, UINT64_MAX};
    int answers = 0;  // number of callback calls
    android::hardware::hidl_handle fence;
    bool hasInfo = false;  // whether an IFencedExecutionCallback was returned

    /// Whether the call was refused immediately with this status in every way that the path has,
    /// without other results.
    bool isRefused(sim::ExecutionPath path, sim::nn::ErrorStatus expected) const;
    /// No shapes and no times.
    bool isSilent() const;
};

inline bool isMissed(sim::nn::ErrorStatus status) {
    return status == sim::nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
           status == sim::nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT;
}

struct RecordingOptions {
    sim::ExecutionPath path = sim::ExecutionPath::kSync;
    sim::nn12::MeasureTiming measure = sim::nn12::MeasureTiming::NO;
    sim::nn::OptionalTimePoint deadline{};
    android::hardware::hidl_vec<android::hardware::hidl_handle> waitFor{};  // for fenced executions
};

/// Executes by one of the paths of HAL 1.3 and waits for the end.
RecordedExecution recordExecution(sim::ClientContext& context,
                                  const android::sp<sim::nn::IPreparedModel>& model,
                                  const sim::nn::Request& request, const RecordingOptions& options);

/// The first output that differs from the example, as text; empty if none does.
std::string compareOutputs(const sim::Example& example, const sim::ExampleRequest& request);

}  // namespace vnpu::test

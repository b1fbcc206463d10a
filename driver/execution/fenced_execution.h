// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <hidl/HidlSupport.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "driver/execution/call_scope.h"
#include "driver/execution/prepared_model.h"
#include "driver/execution/sync_fence.h"
#include "driver/port/mutex.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The outcome of a fenced execution, for the holder of the callback object. Any thread.
class FencedExecutionInfo
    : public android::hardware::neuralnetworks::V1_3::IFencedExecutionCallback {
    using Timing = android::hardware::neuralnetworks::V1_2::Timing;

  public:
    struct Outcome {
        ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
        Timing launched, fenced;
    };

    /// Must run before the fence is signaled.
    void set(const Outcome& outcome);

    /// GENERAL_FAILURE without timings until the fence is signaled.
    android::hardware::Return<void> getExecutionInfo(getExecutionInfo_cb callback) override;

  private:
    Mutex mutex_ VNPU_LOCK_RANK(90);
    std::optional<Outcome> outcome_ VNPU_GUARDED_BY(mutex_);
};

/// One fenced execution from its launch to its fence.
struct FencedExecution {
    android::sp<PreparedModel> prepared;
    std::shared_ptr<CallScope> call;
    BoundRequest request;
    ExecutionOptions options;
    std::vector<android::base::unique_fd> waitFor;
    std::optional<std::chrono::nanoseconds> duration;  // longest, from the last fence
    std::shared_ptr<SyncFence> fence;
    android::sp<FencedExecutionInfo> info;

    /// Waits for the fences, executes, and signals. On a host thread of the port.
    void run();

  private:
    FencedExecutionInfo::Outcome execute();
};

/// Duplicates the descriptors of a call's fences. INVALID_ARGUMENT for a handle that is null or
/// does not hold exactly one descriptor.
Result<std::vector<android::base::unique_fd>> takeFences(
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& handles);

/// INVALID_ARGUMENT for an output whose shape is not fully known before the execution, or whose
/// memory is too small: a fenced execution cannot report either.
Result<void> requireReadyOutputs(const BoundRequest& request,
                                 const android::hardware::neuralnetworks::V1_3::Model& model);

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <functional>
#include <memory>
#include <utility>

#include "driver/execution/call_scope.h"
#include "driver/execution/fenced_execution.h"
#include "driver/execution/prepared_model.h"
#include "driver/hal/notify.h"

namespace vnpu::driver {

/// The HAL's methods of a prepared model. Any thread of the client; asynchronous executions
/// continue on a host thread of the port.
class NpuPreparedModel : public PreparedModel {
    using Request = hal13::Request;
    using MeasureTiming = hal12::MeasureTiming;
    using OptionalTimePoint = hal13::OptionalTimePoint;
    using OptionalTimeoutDuration = hal13::OptionalTimeoutDuration;
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    explicit NpuPreparedModel(Parts parts) : PreparedModel(std::move(parts)) {}

    Return<hal10::ErrorStatus> execute(
            const hal10::Request& request,
            const android::sp<hal10::IExecutionCallback>& callback) override;
    Return<hal10::ErrorStatus> execute_1_2(
            const hal10::Request& request, MeasureTiming measure,
            const android::sp<hal12::IExecutionCallback>& callback) override;
    Return<hal13::ErrorStatus> execute_1_3(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalTimeoutDuration& loopTimeoutDuration,
            const android::sp<hal13::IExecutionCallback>& callback) override;
    Return<void> executeSynchronously(const hal10::Request& request, MeasureTiming measure,
                                      executeSynchronously_cb callback) override;
    Return<void> executeSynchronously_1_3(const Request& request, MeasureTiming measure,
                                          const OptionalTimePoint& deadline,
                                          const OptionalTimeoutDuration& loopTimeoutDuration,
                                          executeSynchronously_1_3_cb callback) override;
    Return<void> executeFenced(
            const Request& request,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor,
            MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalTimeoutDuration& loopTimeoutDuration,
            const OptionalTimeoutDuration& duration, executeFenced_cb callback) override;
    Return<void> configureExecutionBurst(
            const android::sp<hal12::IBurstCallback>& burstCallback,
            const android::hardware::MQDescriptorSync<hal12::FmqRequestDatum>& requestChannel,
            const android::hardware::MQDescriptorSync<hal12::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb callback) override;

  private:
    using Notify = std::function<void(const ExecutionResult&)>;

    /// The arguments of one execution besides its request.
    struct Wanted {
        const char* call = "";
        MeasureTiming measure = MeasureTiming::NO;
        OptionalTimePoint deadline{};
        OptionalTimeoutDuration loopTimeout{};
    };

    ExecutionOptions optionsFor(const CallScope& call, const Wanted& wanted) const;
    /// Validates and maps.
    Result<BoundRequest> bindFor(const Request& request,
                                 const OptionalTimeoutDuration& loopTimeout = {}) const;
    ExecutionResult runSynchronously(const Request& request, const Wanted& wanted);
    /// Validates, maps, and makes the fence of a fenced execution.
    Result<std::shared_ptr<FencedExecution>> prepareFenced(
            const std::shared_ptr<CallScope>& call, const Request& request, const Wanted& wanted,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor);
    /// Reports a request that cannot be launched by its result and by `notify`, and the outcome of
    /// all others by `notify` alone.
    ErrorStatus launch(const Request& request, const Wanted& wanted, const Notify& notify);
    template <typename Callback>
    ErrorStatus launchFor(const android::sp<Callback>& callback, const Request& request,
                          const Wanted& wanted);
};

}  // namespace vnpu::driver

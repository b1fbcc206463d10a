// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <functional>
#include <memory>
#include <utility>

#include "driver/execution/call_scope.h"
#include "driver/execution/fenced_execution.h"
#include "driver/execution/prepared_model.h"

namespace vnpu::driver {

/// The HAL object for a prepared model. Any thread of the client; asynchronous executions continue
/// on a host thread of the port.
class NpuPreparedModel : public android::hardware::neuralnetworks::V1_3::IPreparedModel {
    using Hal10Status = android::hardware::neuralnetworks::V1_0::ErrorStatus;
    using Request = android::hardware::neuralnetworks::V1_3::Request;
    using MeasureTiming = android::hardware::neuralnetworks::V1_2::MeasureTiming;
    using OptionalTimePoint = android::hardware::neuralnetworks::V1_3::OptionalTimePoint;
    using OptionalTimeoutDuration =
            android::hardware::neuralnetworks::V1_3::OptionalTimeoutDuration;
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    explicit NpuPreparedModel(std::shared_ptr<PreparedModel> prepared)
        : prepared_(std::move(prepared)) {}

    const std::shared_ptr<PreparedModel>& prepared() const { return prepared_; }

    Return<Hal10Status> execute(
            const android::hardware::neuralnetworks::V1_0::Request& request,
            const android::sp<android::hardware::neuralnetworks::V1_0::IExecutionCallback>&
                    callback) override;
    Return<Hal10Status> execute_1_2(
            const android::hardware::neuralnetworks::V1_0::Request& request, MeasureTiming measure,
            const android::sp<android::hardware::neuralnetworks::V1_2::IExecutionCallback>&
                    callback) override;
    Return<android::hardware::neuralnetworks::V1_3::ErrorStatus> execute_1_3(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalTimeoutDuration& loopTimeoutDuration,
            const android::sp<android::hardware::neuralnetworks::V1_3::IExecutionCallback>&
                    callback) override;
    Return<void> executeSynchronously(
            const android::hardware::neuralnetworks::V1_0::Request& request, MeasureTiming measure,
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
            const android::sp<android::hardware::neuralnetworks::V1_2::IBurstCallback>&
                    burstCallback,
            const android::hardware::MQDescriptorSync<
                    android::hardware::neuralnetworks::V1_2::FmqRequestDatum>& requestChannel,
            const android::hardware::MQDescriptorSync<
                    android::hardware::neuralnetworks::V1_2::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb callback) override;

  private:
    using Notify = std::function<void(const ExecutionResult&)>;

    /// The arguments of one execution besides its request.
    struct Wanted {
        const char* call = "";
        MeasureTiming measure = MeasureTiming::NO;
        OptionalTimePoint deadline;
        OptionalTimeoutDuration loopTimeout{};
    };

    ExecutionOptions optionsFor(const CallScope& call, const Wanted& wanted) const;
    /// Validates and maps.
    Result<BoundRequest> bind(const Request& request,
                              const OptionalTimeoutDuration& loopTimeout = {}) const;
    ExecutionResult runSynchronously(const Request& request, const Wanted& wanted);
    /// Validates, maps, and makes the fence of a fenced execution.
    Result<std::shared_ptr<FencedExecution>> prepareFenced(
            const std::shared_ptr<CallScope>& call, const Request& request, const Wanted& wanted,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor) const;
    /// Reports a request that cannot be launched by its result and by `notify`, and the outcome of
    /// all others by `notify` alone.
    ErrorStatus launch(const Request& request, const Wanted& wanted, const Notify& notify);

    const std::shared_ptr<PreparedModel> prepared_;
};

}  // namespace vnpu::driver

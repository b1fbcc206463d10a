// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/npu_prepared_model.h"

#include <fmt/format.h>

#include "driver/execution/hal_status.h"
#include "driver/hal/burst_context.h"
#include "driver/hal/hal_conversion.h"
#include "driver/validation/request_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::Return;
using android::hardware::Void;

ExecutionOptions NpuPreparedModel::optionsFor(const CallScope& call, const Wanted& wanted) const {
    DeviceRuntime& runtime = prepared_->runtime();
    using Kind = OptionalTimeoutDuration::hidl_discriminator;
    const auto& loop = wanted.loopTimeout;
    return {.isMeasured = wanted.measure == MeasureTiming::YES,
            .deadline = toDeviceTime(wanted.deadline, runtime.environment()),
            .arrival = runtime.port().now(),
            .loopTimeout = loop.getDiscriminator() == Kind::nanoseconds
                                   ? std::chrono::nanoseconds(loop.nanoseconds())
                                   : kDefaultLoopTimeout,
            .callId = call.id()};
}

Result<BoundRequest> NpuPreparedModel::bind(const Request& request,
                                            const OptionalTimeoutDuration& loopTimeout) const {
    VNPU_TRY(checkLoopTimeout(loopTimeout));
    return prepared_->bind(request);
}

ExecutionResult NpuPreparedModel::runSynchronously(const Request& request, const Wanted& wanted) {
    CallScope call(prepared_->runtime().environment(), wanted.call);
    const ExecutionOptions options = optionsFor(call, wanted);
    auto bound = bind(request, wanted.loopTimeout);
    ExecutionResult result = bound ? prepared_->execute(*bound, options)
                                   : failedExecution(call.refuse(bound.error()));
    call.end(result.status);
    return result;
}

ErrorStatus NpuPreparedModel::launch(const Request& request, const Wanted& wanted,
                                     const Notify& notify) {
    auto call = std::make_shared<CallScope>(prepared_->runtime().environment(), wanted.call);
    const ExecutionOptions options = optionsFor(*call, wanted);
    auto bound = bind(request, wanted.loopTimeout);
    if (!bound) {
        const ErrorStatus status = call->refuse(bound.error());
        call->end(status);
        notify(failedExecution(status));
        return status;
    }
    prepared_->runtime().port().post([prepared = prepared_, call, options, notify,
                                      request = std::make_shared<BoundRequest>(std::move(*bound))] {
        const ExecutionResult result = prepared->execute(*request, options);
        request->claim =
                nullptr;  // released before the callback, as the client may then launch the next
        call->end(result.status);
        notify(result);
    });
    return ErrorStatus::NONE;
}

Return<ErrorStatus> NpuPreparedModel::execute_1_3(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration,
        const sp<nn::V1_3::IExecutionCallback>& callback) {
    if (callback == nullptr) {
        return CallScope(prepared_->runtime().environment(), "execute_1_3")
                .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"});
    }
    return launch(request, {"execute_1_3", measure, deadline, loopTimeoutDuration},
                  [callback](const ExecutionResult& result) {
                      static_cast<void>(callback->notify_1_3(result.status, result.outputShapes,
                                                             result.timing)
                                                .isOk());
                  });
}

Return<nn::V1_0::ErrorStatus> NpuPreparedModel::execute_1_2(
        const nn::V1_0::Request& request, MeasureTiming measure,
        const sp<nn::V1_2::IExecutionCallback>& callback) {
    if (callback == nullptr) {
        return toHal10Status(CallScope(prepared_->runtime().environment(), "execute_1_2")
                                     .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"}));
    }
    return toHal10Status(launch(borrowRequest(request), {"execute_1_2", measure, {}},
                                [callback](const ExecutionResult& result) {
                                    static_cast<void>(
                                            callback->notify_1_2(toHal10Status(result.status),
                                                                 result.outputShapes, result.timing)
                                                    .isOk());
                                }));
}

Return<nn::V1_0::ErrorStatus> NpuPreparedModel::execute(
        const nn::V1_0::Request& request, const sp<nn::V1_0::IExecutionCallback>& callback) {
    if (callback == nullptr) {
        return toHal10Status(CallScope(prepared_->runtime().environment(), "execute")
                                     .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"}));
    }
    return toHal10Status(launch(borrowRequest(request), {"execute", MeasureTiming::NO, {}},
                                [callback](const ExecutionResult& result) {
                                    static_cast<void>(
                                            callback->notify(toHal10Status(result.status)).isOk());
                                }));
}

Return<void> NpuPreparedModel::executeSynchronously_1_3(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration, executeSynchronously_1_3_cb callback) {
    const ExecutionResult result = runSynchronously(
            request, {"executeSynchronously_1_3", measure, deadline, loopTimeoutDuration});
    callback(result.status, result.outputShapes, result.timing);
    return Void();
}

Return<void> NpuPreparedModel::executeSynchronously(const nn::V1_0::Request& request,
                                                    MeasureTiming measure,
                                                    executeSynchronously_cb callback) {
    const ExecutionResult result =
            runSynchronously(borrowRequest(request), {"executeSynchronously", measure, {}});
    callback(toHal10Status(result.status), result.outputShapes, result.timing);
    return Void();
}

Result<std::shared_ptr<FencedExecution>> NpuPreparedModel::prepareFenced(
        const std::shared_ptr<CallScope>& call, const Request& request, const Wanted& wanted,
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor) const {
    auto execution = std::make_shared<FencedExecution>();
    execution->prepared = prepared_;
    execution->call = call;
    execution->options = optionsFor(*call, wanted);
    VNPU_TRY_ASSIGN(auto descriptors, takeFences(waitFor));
    execution->waitFor = std::move(descriptors);
    VNPU_TRY_ASSIGN(auto bound, bind(request, wanted.loopTimeout));
    execution->request = std::move(bound);
    VNPU_TRY(requireReadyOutputs(execution->request, prepared_->model()));
    VNPU_TRY_ASSIGN(auto fence, SyncFence::create(prepared_->runtime().port()));
    execution->fence = std::move(fence);
    execution->info = new FencedExecutionInfo;
    return execution;
}

Return<void> NpuPreparedModel::executeFenced(
        const Request& request,
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor,
        MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration, const OptionalTimeoutDuration& duration,
        executeFenced_cb callback) {
    DeviceRuntime& runtime = prepared_->runtime();
    const auto call = std::make_shared<CallScope>(runtime.environment(), "executeFenced");
    auto execution = prepareFenced(
            call, request, {"executeFenced", measure, deadline, loopTimeoutDuration}, waitFor);
    android::hardware::hidl_handle handle;
    if (execution) {
        handle = (*execution)->fence->handle();
        if (handle.getNativeHandle() == nullptr) {
            execution = fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                             "no descriptors for the caller's fence");
        }
    }
    if (!execution) {
        const ErrorStatus status = call->refuse(execution.error());
        call->end(status);
        callback(status, android::hardware::hidl_handle(nullptr), nullptr);
        return Void();
    }
    if (duration.getDiscriminator() == OptionalTimeoutDuration::hidl_discriminator::nanoseconds) {
        (*execution)->duration = clampedNanoseconds(duration.nanoseconds());
    }
    runtime.fences().add((*execution)->fence);
    runtime.port().post([execution = *execution] { execution->run(); });
    callback(ErrorStatus::NONE, handle, (*execution)->info);
    return Void();
}

Return<void> NpuPreparedModel::configureExecutionBurst(
        const sp<nn::V1_2::IBurstCallback>& burstCallback,
        const android::hardware::MQDescriptorSync<nn::V1_2::FmqRequestDatum>& requestChannel,
        const android::hardware::MQDescriptorSync<nn::V1_2::FmqResultDatum>& resultChannel,
        configureExecutionBurst_cb callback) {
    CallScope call(prepared_->runtime().environment(), "configureExecutionBurst");
    const auto burst = createBurst(prepared_, {burstCallback, requestChannel, resultChannel});
    const ErrorStatus status = burst ? ErrorStatus::NONE : call.refuse(burst.error());
    call.end(status);
    callback(toHal10Status(status), burst ? *burst : nullptr);
    return Void();
}

std::shared_ptr<const CompiledModel> compiledModelOf(
        const sp<nn::V1_3::IPreparedModel>& preparedModel) {
    const auto* own = dynamic_cast<const NpuPreparedModel*>(preparedModel.get());
    return own == nullptr ? nullptr : own->prepared()->compiled();
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/npu_prepared_model.h"

#include <fmt/format.h>

#include "driver/hal/burst.h"
#include "driver/hal/hal_conversion.h"
#include "driver/validation/request_validation.h"

namespace vnpu::driver {

using android::sp;
using android::hardware::Return;
using android::hardware::Void;

ExecutionOptions NpuPreparedModel::optionsFor(const CallScope& call, const Wanted& wanted) const {
    using Kind = OptionalTimeoutDuration::hidl_discriminator;
    const auto& loop = wanted.loopTimeout;
    const std::chrono::nanoseconds now = runtime().port().now();
    return {.isMeasured = wanted.measure == MeasureTiming::YES,
            .deadline = toDeviceTime(wanted.deadline, runtime().environment()),
            .arrival = now,
            .begin = now,
            .loopTimeout = loop.getDiscriminator() == Kind::nanoseconds
                                   ? std::chrono::nanoseconds(loop.nanoseconds())
                                   : kDefaultLoopTimeout,
            .callId = call.id()};
}

Result<BoundRequest> NpuPreparedModel::bindFor(const Request& request,
                                               const OptionalTimeoutDuration& loopTimeout) const {
    VNPU_TRY(checkLoopTimeout(loopTimeout));
    return bind(request);
}

ExecutionResult NpuPreparedModel::runSynchronously(const Request& request, const Wanted& wanted) {
    CallScope call(runtime().environment(), wanted.call);
    const ExecutionOptions options = optionsFor(call, wanted);
    auto bound = bindFor(request, wanted.loopTimeout);
    ExecutionResult result =
            bound ? run(*bound, options) : failedExecution(call.refuse(bound.error()));
    call.end(result.status);
    return result;
}

ErrorStatus NpuPreparedModel::launch(const Request& request, const Wanted& wanted,
                                     const Notify& notify) {
    auto call = std::make_shared<CallScope>(runtime().environment(), wanted.call);
    const ExecutionOptions options = optionsFor(*call, wanted);
    auto bound = bindFor(request, wanted.loopTimeout);
    if (!bound) {
        const ErrorStatus status = call->finish(bound);
        notify(failedExecution(status));
        return status;
    }
    const auto posted =
            runtime().port().post([prepared = sp<PreparedModel>(this), call, options, notify,
                                   request = std::make_shared<BoundRequest>(std::move(*bound))] {
                const ExecutionResult result = prepared->run(*request, options);
                // Before the callback, after which the client may launch again.
                request->claim = nullptr;
                call->end(result.status);
                notify(result);
            });
    if (!posted) {
        const ErrorStatus status = call->finish(posted);
        notify(failedExecution(status));
        return status;
    }
    return ErrorStatus::NONE;
}

template <typename Callback>
ErrorStatus NpuPreparedModel::launchFor(const sp<Callback>& callback, const Request& request,
                                        const Wanted& wanted) {
    if (!requireCallback(callback, runtime().environment(), wanted.call)) {
        return ErrorStatus::INVALID_ARGUMENT;
    }
    return launch(request, wanted,
                  [callback](const ExecutionResult& result) { notify(*callback, result); });
}

Return<ErrorStatus> NpuPreparedModel::execute_1_3(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration,
        const sp<hal13::IExecutionCallback>& callback) {
    return launchFor(callback, request, {"execute_1_3", measure, deadline, loopTimeoutDuration});
}

Return<hal10::ErrorStatus> NpuPreparedModel::execute_1_2(
        const hal10::Request& request, MeasureTiming measure,
        const sp<hal12::IExecutionCallback>& callback) {
    return toHal10Status(launchFor(callback, borrowRequest(request), {"execute_1_2", measure, {}}));
}

Return<hal10::ErrorStatus> NpuPreparedModel::execute(
        const hal10::Request& request, const sp<hal10::IExecutionCallback>& callback) {
    return toHal10Status(
            launchFor(callback, borrowRequest(request), {"execute", MeasureTiming::NO, {}}));
}

Return<void> NpuPreparedModel::executeSynchronously_1_3(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration, executeSynchronously_1_3_cb callback) {
    const ExecutionResult result = runSynchronously(
            request, {"executeSynchronously_1_3", measure, deadline, loopTimeoutDuration});
    callback(result.status, result.outputShapes, result.timing);
    return Void();
}

Return<void> NpuPreparedModel::executeSynchronously(const hal10::Request& request,
                                                    MeasureTiming measure,
                                                    executeSynchronously_cb callback) {
    const ExecutionResult result =
            runSynchronously(borrowRequest(request), {"executeSynchronously", measure, {}});
    callback(toHal10Status(result.status), result.outputShapes, result.timing);
    return Void();
}

Result<std::shared_ptr<FencedExecution>> NpuPreparedModel::prepareFenced(
        const std::shared_ptr<CallScope>& call, const Request& request, const Wanted& wanted,
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor) {
    auto execution = std::make_shared<FencedExecution>();
    execution->prepared = this;
    execution->call = call;
    execution->options = optionsFor(*call, wanted);
    VNPU_TRY_ASSIGN(execution->waitFor, takeFences(waitFor));
    VNPU_TRY_ASSIGN(execution->request, bindFor(request, wanted.loopTimeout));
    VNPU_TRY(requireReadyOutputs(execution->request, model()));
    VNPU_TRY_ASSIGN(execution->fence, SyncFence::create(runtime().port()));
    execution->info = new FencedExecutionInfo;
    return execution;
}

Return<void> NpuPreparedModel::executeFenced(
        const Request& request,
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor,
        MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalTimeoutDuration& loopTimeoutDuration, const OptionalTimeoutDuration& duration,
        executeFenced_cb callback) {
    const auto call = std::make_shared<CallScope>(runtime().environment(), "executeFenced");
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
    if (execution) {
        if (duration.getDiscriminator() ==
            OptionalTimeoutDuration::hidl_discriminator::nanoseconds) {
            (*execution)->duration = clampedNanoseconds(duration.nanoseconds());
        }
        runtime().fences().add((*execution)->fence);
        if (auto posted = runtime().port().post([execution = *execution] { execution->run(); });
            !posted) {
            execution = tl::unexpected(std::move(posted.error()));
        }
    }
    if (!execution) {
        callback(call->finish(execution), android::hardware::hidl_handle(nullptr), nullptr);
        return Void();
    }
    callback(ErrorStatus::NONE, handle, (*execution)->info);
    return Void();
}

Return<void> NpuPreparedModel::configureExecutionBurst(
        const sp<hal12::IBurstCallback>& burstCallback,
        const android::hardware::MQDescriptorSync<hal12::FmqRequestDatum>& requestChannel,
        const android::hardware::MQDescriptorSync<hal12::FmqResultDatum>& resultChannel,
        configureExecutionBurst_cb callback) {
    CallScope call(runtime().environment(), "configureExecutionBurst");
    const auto burst = createBurst(this, {burstCallback, requestChannel, resultChannel});
    callback(toHal10Status(call.finish(burst)), burst ? *burst : nullptr);
    return Void();
}

std::shared_ptr<const CompiledModel> compiledModelOf(
        const sp<hal13::IPreparedModel>& preparedModel) {
    const auto* own = dynamic_cast<const NpuPreparedModel*>(preparedModel.get());
    return own == nullptr ? nullptr : own->compiled();
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "sim/client/device_calls.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/sync.h>

#include <cerrno>

#include "sim/client/burst_calls.h"
#include "sim/client/notification.h"
#include "sim/client/polling.h"

namespace vnpu::sim {

namespace {

using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::Return;

struct TimedPreparation : PrepareResult {
    std::chrono::nanoseconds end{};
};

struct PreparedModelCallback : nn::IPreparedModelCallback {
    explicit PreparedModelCallback(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus status, const sp<nn10::IPreparedModel>&) override {
        return notification.take({{static_cast<nn::ErrorStatus>(status), nullptr}});
    }
    Return<void> notify_1_2(nn10::ErrorStatus status, const sp<nn12::IPreparedModel>&) override {
        return notification.take({{static_cast<nn::ErrorStatus>(status), nullptr}});
    }
    Return<void> notify_1_3(nn::ErrorStatus status,
                            const sp<nn::IPreparedModel>& preparedModel) override {
        return notification.take({{status, preparedModel}});
    }

    Notification<TimedPreparation> notification;
};

constexpr nn::ErrorStatus kUnreached = nn::ErrorStatus::DEVICE_UNAVAILABLE;

PrepareResult outcomeOf(Return<nn::ErrorStatus> returned, PreparedModelCallback& callback) {
    const nn::ErrorStatus launch = returned.withDefault(kUnreached);
    if (launch != nn::ErrorStatus::NONE) {
        return {launch, nullptr};
    }
    PrepareResult result = callback.notification.wait();
    if (result.status == nn::ErrorStatus::NONE && result.preparedModel == nullptr) {
        result.status = nn::ErrorStatus::GENERAL_FAILURE;
    }
    return result;
}

struct ExecutionCallback : nn::IExecutionCallback {
    explicit ExecutionCallback(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus status) override {
        return notification.take({.status = static_cast<nn::ErrorStatus>(status)});
    }
    Return<void> notify_1_2(nn10::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                            const nn12::Timing& timing) override {
        return notify_1_3(static_cast<nn::ErrorStatus>(status), shapes, timing);
    }
    Return<void> notify_1_3(nn::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                            const nn12::Timing& timing) override {
        return notification.take({.status = status, .outputShapes = shapes, .timing = timing});
    }

    Notification<CallResult> notification;
};

nn::OptionalTimeoutDuration loopTimeoutOf(const ExecutionOptions& options) {
    nn::OptionalTimeoutDuration duration;
    if (options.loopTimeout) {
        duration.nanoseconds(static_cast<std::uint64_t>(options.loopTimeout->count()));
    }
    return duration;
}

/// The deadline of a preparation or an execution in the form of the HAL.
template <typename Options>
nn::OptionalTimePoint deadlineOf(const Options& options) {
    nn::OptionalTimePoint deadline;
    if (options.deadline) {
        deadline.nanosecondsSinceEpoch(static_cast<std::uint64_t>(options.deadline->count()));
    }
    return deadline;
}

/// Returns only a status where the execution is refused.
CallResult executeFenced(ClientContext& context, const sp<nn::IPreparedModel>& preparedModel,
                         const nn::Request& request, const ExecutionOptions& options,
                         nn12::MeasureTiming measure) {
    CallResult result;
    hidl_handle fence;
    sp<nn::IFencedExecutionCallback> callback;
    const auto launched = preparedModel->executeFenced(
            request, {}, measure, deadlineOf(options), loopTimeoutOf(options), {},
            [&](nn::ErrorStatus status, const hidl_handle& handle,
                const sp<nn::IFencedExecutionCallback>& info) {
                result.status = status;
                fence = handle;
                callback = info;
            });
    if (!launched.isOk() || (result.status == nn::ErrorStatus::NONE && callback == nullptr)) {
        result.status = nn::ErrorStatus::GENERAL_FAILURE;
    }
    if (result.status == nn::ErrorStatus::NONE) {
        if (fence.getNativeHandle() != nullptr) {
            pollUntil(context, [&] { return sync_wait(fence->data[0], 0) == 0 || errno != ETIME; });
        }
        const auto told = callback->getExecutionInfo(
                [&](nn::ErrorStatus status, const nn12::Timing& timing, const nn12::Timing&) {
                    result.status = status;
                    result.timing = timing;
                });
        if (!told.isOk()) {
            result.status = nn::ErrorStatus::GENERAL_FAILURE;
        }
    }
    result.end = context.now();
    return result;
}

}  // namespace

PrepareResult prepareModel(ClientContext& context, const nn::Model& model,
                           const PrepareOptions& options) {
    const sp<PreparedModelCallback> callback(new PreparedModelCallback(context));
    const CacheHandles& cache = options.cache;
    return outcomeOf(context.device()->prepareModel_1_3(model, options.preference, options.priority,
                                                        deadlineOf(options), cache.model,
                                                        cache.data, cache.token, callback),
                     *callback);
}

PrepareResult prepareModelFromCache(ClientContext& context, const CacheHandles& cache) {
    const sp<PreparedModelCallback> callback(new PreparedModelCallback(context));
    return outcomeOf(context.device()->prepareModelFromCache_1_3({}, cache.model, cache.data,
                                                                 cache.token, callback),
                     *callback);
}

AllocateResult allocateBuffer(ClientContext& context,
                              const hidl_vec<sp<nn::IPreparedModel>>& preparedModels,
                              const hidl_vec<nn::BufferRole>& inputRoles,
                              const hidl_vec<nn::BufferRole>& outputRoles) {
    AllocateResult result;
    const auto called = context.device()->allocate(
            {}, preparedModels, inputRoles, outputRoles,
            [&](nn::ErrorStatus status, const sp<nn::IBuffer>& buffer, std::uint32_t token) {
                result = {status, buffer, token};
            });
    if (!called.isOk()) {
        result.status = nn::ErrorStatus::DEVICE_UNAVAILABLE;
    }
    return result;
}

CallResult execute(ClientContext& context, const sp<nn::IPreparedModel>& preparedModel,
                   const nn::Request& request, const ExecutionOptions& options) {
    const auto measure =
            options.measuresTiming ? nn12::MeasureTiming::YES : nn12::MeasureTiming::NO;
    const std::chrono::nanoseconds begin = context.now();
    CallResult result;
    if (options.path == ExecutionPath::kBurst) {
        result = executeBurst(context, preparedModel, request, options);
    } else if (options.path == ExecutionPath::kFenced) {
        result = executeFenced(context, preparedModel, request, options, measure);
    } else if (options.path == ExecutionPath::kAsync) {
        const sp<ExecutionCallback> callback(new ExecutionCallback(context));
        const nn::ErrorStatus launch = preparedModel
                                               ->execute_1_3(request, measure, deadlineOf(options),
                                                             loopTimeoutOf(options), callback)
                                               .withDefault(kUnreached);
        if (launch == nn::ErrorStatus::NONE) {
            result = callback->notification.wait();
        } else {
            result.status = launch;
            result.end = context.now();
        }
    } else {
        const auto done = preparedModel->executeSynchronously_1_3(
                request, measure, deadlineOf(options), loopTimeoutOf(options),
                [&](nn::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                    const nn12::Timing& timing) {
                    result.status = status;
                    result.outputShapes = shapes;
                    result.timing = timing;
                });
        if (!done.isOk()) {
            result.status = nn::ErrorStatus::GENERAL_FAILURE;
        }
        result.end = context.now();
    }
    result.begin = begin;
    return result;
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>

#include "driver/execution/call_scope.h"
#include "driver/execution/execution_request.h"
#include "driver/execution/hal_status.h"

// The callbacks of all HAL versions behind one name. A client that has died is ignored.

namespace vnpu::driver {

namespace hal10 = android::hardware::neuralnetworks::V1_0;
namespace hal11 = android::hardware::neuralnetworks::V1_1;
namespace hal12 = android::hardware::neuralnetworks::V1_2;
namespace hal13 = android::hardware::neuralnetworks::V1_3;

inline void notify(hal10::IPreparedModelCallback& callback, ErrorStatus status,
                   const android::sp<hal13::IPreparedModel>& model) {
    static_cast<void>(callback.notify(toHal10Status(status), model).isOk());
}
inline void notify(hal12::IPreparedModelCallback& callback, ErrorStatus status,
                   const android::sp<hal13::IPreparedModel>& model) {
    static_cast<void>(callback.notify_1_2(toHal10Status(status), model).isOk());
}
inline void notify(hal13::IPreparedModelCallback& callback, ErrorStatus status,
                   const android::sp<hal13::IPreparedModel>& model) {
    static_cast<void>(callback.notify_1_3(status, model).isOk());
}

inline void notify(hal10::IExecutionCallback& callback, const ExecutionResult& result) {
    static_cast<void>(callback.notify(toHal10Status(result.status)).isOk());
}
inline void notify(hal12::IExecutionCallback& callback, const ExecutionResult& result) {
    static_cast<void>(
            callback.notify_1_2(toHal10Status(result.status), result.outputShapes, result.timing)
                    .isOk());
}
inline void notify(hal13::IExecutionCallback& callback, const ExecutionResult& result) {
    static_cast<void>(
            callback.notify_1_3(result.status, result.outputShapes, result.timing).isOk());
}

/// Refuses a call without a callback; returns whether it has one.
template <typename Callback>
bool requireCallback(const android::sp<Callback>& callback, const Environment& environment,
                     const char* call) {
    if (callback == nullptr) {
        CallScope(environment, call).refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"});
    }
    return callback != nullptr;
}

}  // namespace vnpu::driver

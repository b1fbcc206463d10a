// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/call_scope.h"

#include <hwbinder/IPCThreadState.h>

#include "driver/execution/hal_status.h"

namespace vnpu::driver {

CallScope::CallScope(DeviceRuntime& runtime, std::string_view call)
    : CallScope(runtime, call,
                static_cast<std::uint32_t>(
                        android::hardware::IPCThreadState::self()->getCallingUid())) {}

CallScope::CallScope(DeviceRuntime& runtime, std::string_view call, std::uint32_t uid)
    : runtime_(runtime), call_(call), id_(runtime.nextCallId()), uid_(uid) {
    if (DriverObserver* observer = runtime_.log().observer(); observer != nullptr) {
        observer->onCallBegin(runtime_.log().now(), call_, id_, uid_);
    }
}

ErrorStatus CallScope::refuse(const Error& error) {
    status_ = error.status;
    runtime_.log().line(describe(call_, error));
    return error.status;
}

void CallScope::end(ErrorStatus status) {
    if (hasEnded_) {
        return;
    }
    hasEnded_ = true;
    if (DriverObserver* observer = runtime_.log().observer(); observer != nullptr) {
        observer->onCallEnd(runtime_.log().now(), id_, status);
    }
}

}  // namespace vnpu::driver

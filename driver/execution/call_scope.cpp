// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/call_scope.h"

#include <hwbinder/IPCThreadState.h>

#include "driver/execution/hal_status.h"

namespace vnpu::driver {

std::uint32_t CallScope::callingUid() {
    return static_cast<std::uint32_t>(android::hardware::IPCThreadState::self()->getCallingUid());
}

CallScope::CallScope(const Environment& environment, std::string_view call, std::uint32_t uid)
    : environment_(environment), call_(call), id_(++environment.counters.calls), uid_(uid) {
    environment_.log.event(&DriverObserver::onCallBegin, call_, id_, uid_);
}

ErrorStatus CallScope::refuse(const Error& error) {
    status_ = error.status;
    environment_.log.line(describe(call_, error));
    return error.status;
}

void CallScope::end(ErrorStatus status) {
    if (!hasEnded_) {
        hasEnded_ = true;
        environment_.log.event(&DriverObserver::onCallEnd, id_, status);
    }
}

}  // namespace vnpu::driver

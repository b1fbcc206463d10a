// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/event.h"

namespace vnpu::sim::ndk {

void ComputationEvent::end(ResultCode code) {
    const std::lock_guard lock(mutex_);
    code_ = code;
    if (fence_) {
        fence_->signal(code == ANEURALNETWORKS_NO_ERROR);
    }
    changed_.notify_all();
}

ResultCode ComputationEvent::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return code_.has_value(); });
    return *code_;
}

}  // namespace vnpu::sim::ndk

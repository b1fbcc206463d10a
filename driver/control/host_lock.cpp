// SPDX-License-Identifier: Apache-2.0
#include "driver/control/host_lock.h"

#include "hw_model/regs/check.h"

namespace vnpu::driver {

void HostLock::lock() {
    std::shared_ptr<HostEvent> turn;
    {
        const MutexLock guard(mutex_);
        if (!isHeld_) {
            isHeld_ = true;
            return;
        }
        turn = port_.createEvent();
        waiters_.push_back(turn);
    }
    turn->wait();  // unlock() hands the lock over: isHeld_ stays true
}

void HostLock::unlock() {
    std::shared_ptr<HostEvent> next;
    {
        const MutexLock guard(mutex_);
        VNPU_CHECK(isHeld_, "a lock is released by its holder");
        if (waiters_.empty()) {
            isHeld_ = false;
            return;
        }
        next = std::move(waiters_.front());
        waiters_.pop_front();
    }
    next->set();
}

}  // namespace vnpu::driver

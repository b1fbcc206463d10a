// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/strategies/queue_strategy.h"

#include <algorithm>

namespace vnpu::driver {

bool QueueStrategy::enter(std::uint32_t uid, std::uint32_t halPriority, const Patience& patience) {
    const auto waiter = std::make_shared<Waiter>();
    {
        const std::lock_guard guard(mutex_);
        if (!isBusy_) {
            isBusy_ = true;
            lastUid_ = uid;
            return true;
        }
        waiter->uid = uid;
        waiter->priority = halPriority;
        waiter->turn = port_.createEvent();
        waiters_.push_back(waiter);
    }
    if (waitPatiently(*waiter->turn, patience)) {
        return true;
    }
    const std::lock_guard guard(mutex_);
    waiters_.remove(waiter);
    return waiter->hasTurn;  // it came at the last moment
}

void QueueStrategy::leave() {
    std::shared_ptr<Waiter> chosen;
    {
        const std::lock_guard guard(mutex_);
        const auto found = next();
        isBusy_ = found != waiters_.end();
        if (!isBusy_) {
            return;
        }
        chosen = *found;
        chosen->hasTurn = true;
        lastUid_ = chosen->uid;
        waiters_.erase(found);
    }
    chosen->turn->set();
}

QueueStrategy::Waiters::iterator QueueStrategy::next() {
    // Of equal ones the first to arrive.
    return std::ranges::min_element(waiters_, {}, [this](const std::shared_ptr<Waiter>& waiter) {
        return queueRank(waiter->uid, waiter->priority, lastUid_);
    });
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/control/job_queue.h"

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::driver {

bool JobQueue::enter(std::uint32_t uid, std::uint32_t halPriority, const WaitBudget& budget) {
    const auto waiter = std::make_shared<Waiter>();
    {
        const MutexLock guard(mutex_);
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
    if (waitWithin(*waiter->turn, budget)) {
        return true;
    }
    const MutexLock guard(mutex_);
    waiters_.remove(waiter);
    return waiter->hasTurn;  // the turn came at the last moment
}

void JobQueue::leave() {
    std::shared_ptr<Waiter> chosen;
    {
        const MutexLock guard(mutex_);
        VNPU_CHECK(isBusy_, "a turn is ended by its holder");
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

JobQueue::Waiters::iterator JobQueue::next() {
    // Among equals the first to arrive.
    return std::ranges::min_element(waiters_, {},
                                    [last = lastUid_](const std::shared_ptr<Waiter>& waiter) {
                                        return queueRank(waiter->uid, waiter->priority, last);
                                    });
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <utility>

#include "driver/control/wait_budget.h"
#include "driver/port/device_port.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// A job's rank in the queue, the least first: the UID that follows `lastUid`, wrapping around;
/// within a UID the highest priority.
inline std::pair<std::uint32_t, std::uint32_t> queueRank(std::uint32_t uid,
                                                         std::uint32_t halPriority,
                                                         std::uint32_t lastUid) {
    return {uid - lastUid - 1, ~halPriority};  // wraps
}

/// One holder at a time; the others wait. UIDs take turns by rising number; within a UID the
/// highest priority comes first, then the earliest. With Strategy::kQueue accepted jobs wait here,
/// and the device has one job. Any thread but the interrupt thread.
class JobQueue {
  public:
    explicit JobQueue(DevicePort& port) : port_(port) {}

    /// Waits for the caller's turn; false if the budget ends first.
    bool enter(std::uint32_t uid, std::uint32_t halPriority, const WaitBudget& budget);

    /// Ends the turn of a caller that has entered.
    void leave();

  private:
    struct Waiter {
        std::uint32_t uid = 0;
        std::uint32_t priority = 0;
        std::unique_ptr<HostEvent> turn;
        bool hasTurn = false;
    };
    using Waiters = std::list<std::shared_ptr<Waiter>>;

    Waiters::iterator next() VNPU_REQUIRES(mutex_);

    DevicePort& port_;
    Mutex mutex_ VNPU_LOCK_RANK(90);
    bool isBusy_ VNPU_GUARDED_BY(mutex_) = false;
    std::uint32_t lastUid_ VNPU_GUARDED_BY(mutex_) = 0;
    Waiters waiters_ VNPU_GUARDED_BY(mutex_);  // in the order of arrival
};

}  // namespace vnpu::driver

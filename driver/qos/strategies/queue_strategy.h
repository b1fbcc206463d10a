// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "driver/qos/strategies/job_strategy.h"

namespace vnpu::driver {

/// A job's place among those that wait in the driver, the least first: the UID that follows
/// `lastUid`, around the end; of one UID the highest priority.
inline std::pair<std::uint32_t, std::uint32_t> queueRank(std::uint32_t uid,
                                                         std::uint32_t halPriority,
                                                         std::uint32_t lastUid) {
    return {uid - lastUid - 1, ~halPriority};  // wraps
}

/// The device gets one job at a time. UIDs take turns by rising number; of one UID the highest
/// priority comes first, then the earliest.
class QueueStrategy : public JobStrategy {
  public:
    explicit QueueStrategy(DevicePort& port) : port_(port) {}

    bool enter(std::uint32_t uid, std::uint32_t halPriority, const Patience& patience) override;
    void leave() override;

  private:
    struct Waiter {
        std::uint32_t uid = 0;
        std::uint32_t priority = 0;
        std::unique_ptr<HostEvent> turn;
        bool hasTurn = false;
    };
    using Waiters = std::list<std::shared_ptr<Waiter>>;

    Waiters::iterator next();

    DevicePort& port_;
    std::mutex mutex_;  // guards what follows; rank 80
    bool isBusy_ = false;
    std::uint32_t lastUid_ = 0;
    Waiters waiters_;  // in the order of arrival
};

}  // namespace vnpu::driver

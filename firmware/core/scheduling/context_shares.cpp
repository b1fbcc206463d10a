// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/context_shares.h"

#include <algorithm>

#include "firmware/core/base/cycle_costs.h"

namespace vnpu::fw {

void ContextShares::observe(const Queue& queue) {
    if (running_ != kNoContext) {
        accounts_[running_] += queue.now - lastCycle_;
        served_[running_] += queue.now - lastCycle_;
        findLowest();
    }
    lastCycle_ = queue.now;
    running_ = queue.running == nullptr ? kNoContext : queue.running->context;

    const std::uint64_t leastReturning = lowest_ > slice_ ? lowest_ - slice_ : 0;
    std::bitset<hw::regs::kContextCount> present;
    for (const Candidate& one : queue.candidates) {
        present.set(one.context);
        if (!present_[one.context]) {
            accounts_[one.context] = std::max(accounts_[one.context], leastReturning);
        }
    }
    present_ = present;
}

void ContextShares::findLowest() {
    std::uint64_t least = kNeverCycles;
    for (std::uint32_t context = 0; context < present_.size(); ++context) {
        least = present_[context] ? std::min(least, accounts_[context]) : least;
    }
    lowest_ = least == kNeverCycles ? lowest_ : least;
}

std::uint32_t ContextShares::lowest(const Queue& queue, std::uint32_t except) const {
    std::uint32_t found = except;
    for (const Candidate& one : queue.candidates) {
        if (one.context != except &&
            (found == except || accounts_[one.context] < accounts_[found])) {
            found = one.context;
        }
    }
    return found;
}

std::uint32_t ContextShares::choose(const Queue& queue) const {
    if (queue.running == nullptr) {
        return lowest(queue, kNoContext);
    }
    return cyclesToChange(queue) == 0 ? lowest(queue, queue.running->context)
                                      : queue.running->context;
}

std::uint64_t ContextShares::cyclesToChange(const Queue& queue) const {
    if (queue.running == nullptr) {
        return kNeverCycles;
    }
    const std::uint32_t running = queue.running->context;
    const std::uint32_t other = lowest(queue, running);
    if (other == running) {
        return kNeverCycles;
    }
    const std::uint64_t end = accounts_[other] + slice_;
    return end > accounts_[running] ? end - accounts_[running] : 0;
}

}  // namespace vnpu::fw

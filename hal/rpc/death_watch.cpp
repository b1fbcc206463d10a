// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/death_watch.h"

#include <algorithm>
#include <utility>

namespace vnpu::hal::rpc {

bool DeathWatch::add(Link link) {
    const std::lock_guard guard(mutex_);
    if (!isOver_) {
        links_.push_back(std::move(link));
    }
    return !isOver_;
}

bool DeathWatch::remove(const RemoteReference& object,
                        const android::hardware::hidl_death_recipient* recipient) {
    // destroyed after the lock is released, because its destructor is foreign code
    Link removed;
    const std::lock_guard guard(mutex_);
    const auto found = std::find_if(links_.begin(), links_.end(), [&](const Link& each) {
        return each.object == &object && each.recipient.get() == recipient;
    });
    if (found == links_.end()) {
        return false;
    }
    removed = std::move(*found);
    links_.erase(found);
    return true;
}

void DeathWatch::forget(const RemoteReference& object) {
    std::vector<Link> removed;
    const std::lock_guard guard(mutex_);
    const auto end = std::stable_partition(
            links_.begin(), links_.end(), [&](const Link& each) { return each.object != &object; });
    std::move(end, links_.end(), std::back_inserter(removed));
    links_.erase(end, links_.end());
}

void DeathWatch::notifyAll(Workers& workers) {
    std::vector<Link> all;
    {
        const std::lock_guard guard(mutex_);
        isOver_ = true;
        all.swap(links_);
    }
    if (all.empty()) {
        return;
    }
    workers.run([all = std::move(all)]() {
        for (const Link& each : all) {
            each.recipient->serviceDied(each.cookie, each.who);
        }
    });
}

}  // namespace vnpu::hal::rpc

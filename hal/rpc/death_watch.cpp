// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/death_watch.h"

#include <algorithm>
#include <utility>

namespace vnpu::hal::rpc {

bool DeathWatch::add(Mourner mourner) {
    const std::lock_guard guard(mutex_);
    if (!isOver_) {
        mourners_.push_back(std::move(mourner));
    }
    return !isOver_;
}

bool DeathWatch::remove(const RemoteReference& object,
                        const android::hardware::hidl_death_recipient* recipient) {
    // destroyed after the lock is released, because its destructor is foreign code
    Mourner removed;
    const std::lock_guard guard(mutex_);
    const auto found = std::find_if(mourners_.begin(), mourners_.end(), [&](const Mourner& each) {
        return each.object == &object && each.recipient.get() == recipient;
    });
    if (found == mourners_.end()) {
        return false;
    }
    removed = std::move(*found);
    mourners_.erase(found);
    return true;
}

void DeathWatch::forget(const RemoteReference& object) {
    std::vector<Mourner> removed;
    const std::lock_guard guard(mutex_);
    const auto end =
            std::stable_partition(mourners_.begin(), mourners_.end(),
                                  [&](const Mourner& each) { return each.object != &object; });
    std::move(end, mourners_.end(), std::back_inserter(removed));
    mourners_.erase(end, mourners_.end());
}

void DeathWatch::tell(Workers& workers) {
    std::vector<Mourner> all;
    {
        const std::lock_guard guard(mutex_);
        isOver_ = true;
        all.swap(mourners_);
    }
    if (all.empty()) {
        return;
    }
    workers.run([all = std::move(all)]() {
        for (const Mourner& each : all) {
            each.recipient->serviceDied(each.cookie, each.who);
        }
    });
}

}  // namespace vnpu::hal::rpc

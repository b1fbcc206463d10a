// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/release_queue.h"

#include <utility>

namespace vnpu::hal::rpc {

void ReleaseQueue::add(std::vector<Object> objects) {
    const std::lock_guard guard(mutex_);
    for (Object& object : objects) {
        if (object != nullptr) {
            objects_.push_back(std::move(object));
            ++asked_;
        }
    }
    if (!objects_.empty() && !std::exchange(isAtWork_, true)) {
        workers_->run([self = shared_from_this()] { self->release(); });
    }
}

uint64_t ReleaseQueue::asked() const {
    const std::lock_guard guard(mutex_);
    return asked_;
}

void ReleaseQueue::await(uint64_t count) {
    std::unique_lock lock(mutex_);
    gone_.wait(lock, [&] { return done_ >= count; });
}

void ReleaseQueue::release() {
    std::unique_lock lock(mutex_);
    while (!objects_.empty()) {
        Object object = std::move(objects_.front());
        objects_.pop_front();
        lock.unlock();
        object.clear();
        lock.lock();
        ++done_;
        gone_.notify_all();
    }
    isAtWork_ = false;
}

}  // namespace vnpu::hal::rpc

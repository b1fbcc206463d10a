// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/case_watch.h"

#include <utility>

namespace vnpu::sim {

CaseWatch::CaseWatch(std::chrono::nanoseconds limit, std::function<void()> onLate)
    : limit_(limit), onLate_(std::move(onLate)), thread_([this] { watch(); }) {}

CaseWatch::~CaseWatch() {
    {
        const std::lock_guard guard(mutex_);
        isOver_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void CaseWatch::begin() {
    {
        const std::lock_guard guard(mutex_);
        ++number_;
        isRunning_ = true;
    }
    changed_.notify_one();
}

void CaseWatch::end() {
    const std::lock_guard guard(mutex_);
    ++number_;
    isRunning_ = false;
}

void CaseWatch::watch() {
    std::unique_lock lock(mutex_);
    while (!isOver_) {
        if (!isRunning_) {
            changed_.wait(lock, [&] { return isOver_ || isRunning_; });
            continue;
        }
        const std::uint64_t watched = number_;
        const bool hasEnded =
                changed_.wait_for(lock, limit_, [&] { return isOver_ || number_ != watched; });
        if (!hasEnded) {
            lock.unlock();
            onLate_();
            lock.lock();
        }
    }
}

}  // namespace vnpu::sim

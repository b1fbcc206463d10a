// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/worker_pool.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace vnpu::sim {

WorkerPool::~WorkerPool() {
    drain();
    {
        const std::lock_guard guard(mutex_);
        isEnding_ = true;
    }
    arrived_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void WorkerPool::drain() {
    std::unique_lock lock(mutex_);
    drained_.wait(lock, [this] { return unfinished_ == 0; });
}

driver::Result<void> WorkerPool::post(std::function<void()> work) {
    {
        const std::lock_guard guard(mutex_);
        if (idle_ <= work_.size()) {
            try {
                threads_.emplace_back([this] { serve(); });
            } catch (const std::system_error& error) {
                return driver::fail(driver::ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                                    fmt::format("no thread for the work: {}", error.what()));
            }
            ++idle_;
        }
        work_.push_back(std::move(work));
        ++unfinished_;
    }
    arrived_.notify_one();
    return {};
}

void WorkerPool::serve() {
    std::unique_lock lock(mutex_);
    while (true) {
        arrived_.wait(lock, [this] { return isEnding_ || !work_.empty(); });
        if (work_.empty()) {
            return;
        }
        {
            const auto work = std::move(work_.front());
            work_.pop_front();
            --idle_;
            lock.unlock();
            work();
        }
        lock.lock();
        ++idle_;
        if (--unfinished_ == 0) {
            drained_.notify_all();
        }
    }
}

}  // namespace vnpu::sim

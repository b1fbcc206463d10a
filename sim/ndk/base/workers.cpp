// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/base/workers.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace vnpu::sim::ndk {

namespace {

/// As many threads as there has been work at once. Never destroyed, because its threads run until
/// the process ends.
class Workers {
  public:
    static Workers& instance() {
        static Workers* const workers = std::make_unique<Workers>().release();
        return *workers;
    }

    Result<void> run(std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        if (idle_ <= work_.size()) {
            try {
                std::thread([this] { serve(); }).detach();
            } catch (const std::system_error& error) {
                return failed(ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT,
                              "no thread for a computation: {}", error.what());
            }
        }
        work_.push_back(std::move(work));
        changed_.notify_one();
        return {};
    }

  private:
    [[noreturn]] void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            ++idle_;
            changed_.wait(lock, [&] { return !work_.empty(); });
            --idle_;
            {
                const std::function<void()> work = std::move(work_.front());
                work_.pop_front();
                lock.unlock();
                work();
            }
            lock.lock();
        }
    }

    std::mutex mutex_;  // guards the rest
    std::condition_variable changed_;
    std::deque<std::function<void()>> work_;
    std::size_t idle_ = 0;  // threads that wait, or are about to take work
};

}  // namespace

Result<void> runOnWorker(std::function<void()> work) {
    return Workers::instance().run(std::move(work));
}

}  // namespace vnpu::sim::ndk

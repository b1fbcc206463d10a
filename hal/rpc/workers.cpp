// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/workers.h"

#include <hidl/HidlInternal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace vnpu::hal::rpc {

namespace {

constexpr size_t kIdleThreads = 4;  // chosen: for a client's consecutive calls and its callbacks

thread_local const void* ownState = nullptr;  // the pool of this thread, if it is a worker

}  // namespace

struct Workers::State : std::enable_shared_from_this<State> {
    std::mutex mutex;  // guards the members below
    std::condition_variable wanted;
    std::condition_variable changed;
    std::deque<Task> tasks;
    size_t threads = 0;
    size_t idle = 0;
    bool hasWorked = false;  // since the last rest()
    bool isEnding = false;

    /// Starts a thread, or throws std::system_error. The lock is held.
    void start() {
        std::thread([self = shared_from_this()] { self->work(); }).detach();
        ++threads;
    }

    void work() {
        ownState = this;
        std::unique_lock lock(mutex);
        while (true) {
            while (!tasks.empty()) {
                Task task = kj::mv(tasks.front());
                tasks.pop_front();
                lock.unlock();
                {
                    Task current = kj::mv(task);
                    current();
                }
                lock.lock();
            }
            if (isEnding || idle == kIdleThreads) {
                break;
            }
            ++idle;
            changed.notify_all();
            wanted.wait(lock, [this] { return isEnding || !tasks.empty(); });
            --idle;
        }
        --threads;
        changed.notify_all();
    }

    /// Waits until no task is left; returns whether there were any since the last time.
    bool rest() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return tasks.empty() && idle == threads; });
        return std::exchange(hasWorked, false);
    }

    void endThreads() {
        std::unique_lock lock(mutex);
        isEnding = true;
        wanted.notify_all();
        changed.wait(lock, [this] { return threads == 0; });
        isEnding = false;
    }
};

tl::expected<std::shared_ptr<Workers>, std::string> Workers::create() {
    auto state = std::make_shared<State>();
    try {
        const std::lock_guard guard(state->mutex);
        while (state->threads < kIdleThreads) {
            state->start();
        }
    } catch (const std::system_error& error) {
        if (state->threads == 0) {
            return tl::unexpected(std::string("no thread for calls: ") + error.what());
        }
    }
    return std::shared_ptr<Workers>(new Workers(std::move(state)));
}

Workers::Workers(std::shared_ptr<State> state) : state_(std::move(state)) {}

Workers::~Workers() {
    const std::lock_guard guard(state_->mutex);
    state_->isEnding = true;
    state_->wanted.notify_all();
}

void Workers::run(Task task) {
    Task dropped;  // destroyed after the lock is released, because its objects are foreign
    const std::lock_guard guard(state_->mutex);
    state_->tasks.push_back(kj::mv(task));
    state_->hasWorked = true;
    if (state_->idle >= state_->tasks.size()) {
        state_->wanted.notify_one();
        return;
    }
    try {
        state_->start();
    } catch (const std::system_error& error) {
        // An existing thread runs the task later.
        if (state_->threads == 0) {
            android::hardware::details::logError(
                    std::string("rpc: no thread for a call after the end: ") + error.what());
            dropped = kj::mv(state_->tasks.back());
            state_->tasks.pop_back();
        }
    }
}

void Workers::drain(EventLoop& loop) {
    do {
        loop.flush();
        loop.flush();  // runs the consequences of the first
    } while (ownState != state_.get() && state_->rest());
    if (ownState != state_.get()) {
        state_->endThreads();
    }
}

}  // namespace vnpu::hal::rpc

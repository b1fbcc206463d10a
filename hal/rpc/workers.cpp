// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/workers.h"

#include <hidl/HidlInternal.h>

#include <deque>
#include <system_error>
#include <thread>
#include <utility>

namespace vnpu::hal::rpc {

namespace {

constexpr size_t kIdleThreads = 4;  // chosen: for a client's consecutive calls and its callbacks

thread_local const void* ownState = nullptr;  // the pool of this thread, if it is a worker

}  // namespace

struct Workers::State {
    std::mutex mutex;  // guards the members below
    std::condition_variable wanted;
    std::condition_variable ended;
    std::deque<Task> tasks;
    size_t threads = 0;
    size_t idle = 0;
    bool isEnding = false;

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
            wanted.wait(lock, [this] { return isEnding || !tasks.empty(); });
            --idle;
        }
        --threads;
        ended.notify_all();
    }
};

Workers::Workers() : state_(std::make_shared<State>()) {}

Workers::~Workers() {
    const std::lock_guard guard(state_->mutex);
    state_->isEnding = true;
    state_->wanted.notify_all();
}

void Workers::run(Task task) {
    const std::lock_guard guard(state_->mutex);
    state_->tasks.push_back(kj::mv(task));
    if (state_->idle >= state_->tasks.size()) {
        state_->wanted.notify_one();
        return;
    }
    try {
        std::thread([state = state_] { state->work(); }).detach();
        ++state_->threads;
    } catch (const std::system_error& error) {
        // Without a new thread, an existing one runs the task later; without any, no thread would.
        android::hardware::details::check(state_->threads > 0, error.what());
    }
}

void Workers::drain(EventLoop& loop) {
    do {
        loop.flush();
        loop.flush();  // runs the consequences of the first
    } while (endThreads());
}

/// Ends all threads and waits for them; returns whether there were any.
bool Workers::endThreads() {
    if (ownState == state_.get()) {
        return false;
    }
    std::unique_lock lock(state_->mutex);
    const bool hadThreads = state_->threads != 0;
    state_->isEnding = true;
    state_->wanted.notify_all();
    state_->ended.wait(lock, [this] { return state_->threads == 0; });
    state_->isEnding = false;
    return hadThreads;
}

}  // namespace vnpu::hal::rpc

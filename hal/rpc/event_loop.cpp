// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/event_loop.h"

#include <android-base/unique_fd.h>
#include <hidl/HidlInternal.h>
#include <kj/async-unix.h>
#include <kj/exception.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace vnpu::hal::rpc {

using android::hardware::details::check;

struct EventLoop::State {
    std::mutex mutex;  // guards tasks and isEnding; a leaf
    std::vector<Task> tasks;
    bool isEnding = false;
    const android::base::unique_fd wakeUp{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    kj::AsyncIoContext* io = nullptr;  // owned by the loop's thread

    void wake() const {
        const uint64_t one = 1;
        check(::write(wakeUp.get(), &one, sizeof(one)) == sizeof(one) || errno == EAGAIN,
              "an event descriptor can be written");
    }

    /// Runs the pending tasks; returns whether the loop continues.
    bool runTasks() {
        uint64_t ignored = 0;
        while (::read(wakeUp.get(), &ignored, sizeof(ignored)) > 0 || errno == EINTR) {
        }
        std::vector<Task> present;
        bool isLast = false;
        {
            const std::lock_guard guard(mutex);
            present.swap(tasks);
            isLast = isEnding;
        }
        for (Task& task : present) {
            Task current = kj::mv(task);
            KJ_IF_MAYBE (exception, kj::runCatchingExceptions([&] { current(); })) {
                android::hardware::details::logError(std::string("rpc: ") +
                                                     exception->getDescription().cStr());
            }
        }
        return !isLast;
    }

    kj::Promise<void> serve(kj::UnixEventPort::FdObserver& observer) {
        if (!runTasks()) {
            return kj::READY_NOW;
        }
        return observer.whenBecomesReadable().then([this, &observer] { return serve(observer); });
    }

    /// Sets `failure` before it serves anything: to the reason why there is no loop, or to "".
    void run(std::promise<std::string> failure) {
        std::optional<kj::AsyncIoContext> context;
        std::optional<kj::UnixEventPort::FdObserver> observer;
        KJ_IF_MAYBE (exception, kj::runCatchingExceptions([&] {
                         context.emplace(kj::setupAsyncIo());
                         observer.emplace(context->unixEventPort, wakeUp.get(),
                                          kj::UnixEventPort::FdObserver::OBSERVE_READ);
                     })) {
            failure.set_value(exception->getDescription().cStr());
            return;
        }
        io = &*context;
        failure.set_value("");
        serve(*observer).wait(context->waitScope);
        context->waitScope.poll();  // runs the consequences of the last tasks
    }
};

tl::expected<std::shared_ptr<EventLoop>, std::string> EventLoop::create() {
    auto state = std::make_shared<State>();
    if (!state->wakeUp.ok()) {
        return tl::unexpected(std::string("no descriptor for an event loop: ") +
                              std::strerror(errno));
    }
    std::promise<std::string> failure;
    auto failed = failure.get_future();
    std::thread thread;
    try {
        thread = std::thread([state, failure = std::move(failure)]() mutable {
            state->run(std::move(failure));
        });
    } catch (const std::system_error& error) {
        return tl::unexpected(std::string("no thread for an event loop: ") + error.what());
    }
    if (const std::string reason = failed.get(); !reason.empty()) {
        thread.join();
        return tl::unexpected("no event loop: " + reason);
    }
    return std::shared_ptr<EventLoop>(new EventLoop(std::move(state), std::move(thread)));
}

EventLoop::EventLoop(std::shared_ptr<State> state, std::thread thread)
    : state_(std::move(state)), thread_(std::move(thread)) {}

EventLoop::~EventLoop() {
    {
        const std::lock_guard guard(state_->mutex);
        state_->isEnding = true;
    }
    state_->wake();
    if (thread_.get_id() == std::this_thread::get_id()) {
        thread_.detach();
    } else {
        thread_.join();
    }
}

void EventLoop::post(Task task) {
    {
        const std::lock_guard guard(state_->mutex);
        if (state_->isEnding) {
            return;
        }
        state_->tasks.push_back(kj::mv(task));
    }
    state_->wake();
}

void EventLoop::flush() {
    const auto done = std::make_shared<std::promise<void>>();
    const std::future<void> over = done->get_future();
    post([done] { done->set_value(); });
    over.wait();
}

kj::AsyncIoContext& EventLoop::io() {
    return *state_->io;
}

}  // namespace vnpu::hal::rpc

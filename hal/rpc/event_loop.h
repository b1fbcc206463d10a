// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kj/async-io.h>
#include <kj/function.h>

#include <memory>
#include <string>
#include <thread>
#include <tl/expected.hpp>

namespace vnpu::hal::rpc {

/// A thread with a KJ event loop. KJ objects of the loop are created, used and destroyed only in
/// tasks; everything else may be called on any thread.
class EventLoop {
  public:
    using Task = kj::Function<void()>;

    /// Fails if the system has no thread, or no descriptors for the loop.
    static tl::expected<std::shared_ptr<EventLoop>, std::string> create();
    /// Runs the tasks posted before, then ends the loop.
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Runs the task on the loop after those posted before. A loop that has ended only destroys the
    /// task. A task must not leak KJ objects of the loop.
    void post(Task task);

    /// Waits until the tasks posted before have run. Must not be called in a task.
    void flush();

    /// For use in tasks only.
    kj::AsyncIoContext& io();

  private:
    struct State;

    EventLoop(std::shared_ptr<State> state, std::thread thread);

    const std::shared_ptr<State> state_;  // shared with the thread
    std::thread thread_;
};

}  // namespace vnpu::hal::rpc

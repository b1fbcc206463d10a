// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kj/async-io.h>
#include <kj/function.h>

#include <memory>
#include <thread>

namespace vnpu::hal::rpc {

/// A thread with a KJ event loop. Everything of KJ's that belongs to the loop is made, used and
/// destroyed in tasks; the rest may be called on any thread.
class EventLoop {
  public:
    using Task = kj::Function<void()>;

    EventLoop();
    /// Runs what was posted before, then ends the loop.
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Has the loop run the task, after those posted before. Once the loop has ended, the task is
    /// only destroyed. Nothing may come out of a task but its own result.
    void post(Task task);

    /// Waits until the tasks posted before have run. Not in a task.
    void flush();

    /// For tasks only.
    kj::AsyncIoContext& io();

  private:
    struct State;

    const std::shared_ptr<State> state_;  // with the thread
    std::thread thread_;
};

}  // namespace vnpu::hal::rpc

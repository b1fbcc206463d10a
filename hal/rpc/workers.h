// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kj/function.h>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "hal/rpc/event_loop.h"

namespace vnpu::hal::rpc {

/// Threads for calls of any length: one thread for each unfinished task, and some idle ones that
/// are kept. The callers limit the number of tasks. Any thread.
class Workers {
  public:
    using Task = kj::Function<void()>;

    Workers();
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    void run(Task task);

    /// Waits until all tasks here and on the loop are done: the loop answers finished calls and
    /// releases their objects here. All threads have ended afterwards; later tasks start new ones.
    /// Must not be called on the loop. In a task it waits only for the loop.
    void drain(EventLoop& loop);

  private:
    struct State;

    bool endThreads();

    const std::shared_ptr<State> state_;  // shared with the threads
};

}  // namespace vnpu::hal::rpc

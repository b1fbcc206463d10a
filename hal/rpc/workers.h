// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kj/function.h>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace vnpu::hal::rpc {

/// Threads for calls, which may take as long as they like: there is one for each task that is not
/// done, and some stay for the next. How many tasks there are is the callers' to bound. Any thread.
class Workers {
  public:
    using Task = kj::Function<void()>;

    Workers();
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    void run(Task task);

    /// Waits until nothing is left to do and the threads have gone; tasks that come later get new
    /// ones. Does nothing in a task.
    void drain();

  private:
    struct State;

    const std::shared_ptr<State> state_;  // with the threads
};

}  // namespace vnpu::hal::rpc

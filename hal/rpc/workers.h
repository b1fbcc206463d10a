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

    /// Waits until nothing is left to do, here and on the loop: it answers calls that have ended
    /// and has what they held let go of here. The threads have gone then; tasks that come later get
    /// new ones. Not on the loop; in a task it waits for the loop alone.
    void drain(EventLoop& loop);

  private:
    struct State;

    bool endThreads();

    const std::shared_ptr<State> state_;  // with the threads
};

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kj/function.h>

#include <cstddef>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "hal/rpc/event_loop.h"

namespace vnpu::hal::rpc {

/// Threads for calls of any length: one thread for each unfinished task, and some idle ones. The
/// idle ones are there from the start, as far as the system has threads, so that each task runs, if
/// late, and the number of threads at rest does not depend on the calls before. The callers limit
/// the number of tasks. Any thread.
class Workers {
  public:
    using Task = kj::Function<void()>;

    /// Fails if the system has not even one thread.
    static tl::expected<std::shared_ptr<Workers>, std::string> create();
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    void run(Task task);

    /// Waits until all tasks here and on the loop are done: the loop answers finished calls and
    /// releases their objects here. All threads have ended afterwards; a later task starts a new
    /// one, or is dropped with a line in the log if there is none. Must not be called on the loop.
    /// In a task it waits only for the loop.
    void drain(EventLoop& loop);

  private:
    struct State;

    explicit Workers(std::shared_ptr<State> state);

    const std::shared_ptr<State> state_;  // shared with the threads
};

}  // namespace vnpu::hal::rpc

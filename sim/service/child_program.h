// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace vnpu::sim {

/// A program in a process of its own, which does not outlive the thread that started it. One
/// thread.
class ChildProgram {
  public:
    /// Starts words[0] with the other words. What it prints goes to `output`; nowhere if that is
    /// negative. A program that cannot be started ends with code 127.
    explicit ChildProgram(std::vector<std::string> words, int output = -1);
    ChildProgram(ChildProgram&& other) noexcept;
    ChildProgram& operator=(ChildProgram&& other) = delete;
    /// Kills it, if it still runs.
    ~ChildProgram();

    pid_t id() const { return id_; }

    /// Waits for its end: its exit code, or 128 + the signal that ended it.
    int wait();
    /// Sends a signal and waits.
    int end(int signal);
    /// As wait(), but nothing if it still runs.
    std::optional<int> poll();

  private:
    std::optional<int> reap(int options);

    pid_t id_ = -1;
    std::optional<int> code_;
};

}  // namespace vnpu::sim

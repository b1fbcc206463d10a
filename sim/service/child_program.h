// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace vnpu::sim {

/// A program in a process of its own, which ends at the latest with the thread that started it. One
/// thread.
class ChildProgram {
  public:
    /// Starts words[0] with the other words as arguments. Its standard output goes to `output`, or
    /// is discarded if that is negative. A program that cannot be started ends with code 127.
    explicit ChildProgram(std::vector<std::string> words, int output = -1);
    ChildProgram(ChildProgram&& other) noexcept;
    ChildProgram& operator=(ChildProgram&& other) = delete;
    /// Kills the program if it still runs.
    ~ChildProgram();

    pid_t id() const { return id_; }

    /// Waits for the end; returns the exit code, or 128 + the signal that ended the program.
    int wait();
    /// Sends a signal and waits.
    int end(int signal);
    /// As wait(), but returns nothing if the program still runs.
    std::optional<int> poll();

  private:
    std::optional<int> reap(int options);

    pid_t id_ = -1;
    std::optional<int> code_;
};

}  // namespace vnpu::sim

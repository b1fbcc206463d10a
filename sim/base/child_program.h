// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vnpu::sim {

/// A program in a separate process, which ends at the latest with the thread that started it. One
/// thread.
class ChildProgram {
  public:
    /// Descriptors of the program's standard streams. A negative input or error stream is that of
    /// this process; without `output`, the output is discarded.
    struct Streams {
        int input = -1, output = -1, errors = -1;
    };

    /// Starts words[0] with the other words as arguments. A program that cannot be started ends
    /// with code 127.
    explicit ChildProgram(std::vector<std::string> words, const Streams& streams);
    explicit ChildProgram(std::vector<std::string> words)
        : ChildProgram(std::move(words), Streams()) {}
    ChildProgram(ChildProgram&& other) noexcept;
    ChildProgram& operator=(ChildProgram&& other) = delete;
    /// Kills the program if it still runs.
    ~ChildProgram();

    pid_t id() const { return id_; }

    /// Waits for the end; returns the exit code, or 128 + the signal that ended the program.
    int wait();
    /// Sends a signal and waits.
    int end(int signal);
    /// Like wait(), but returns nothing if the program still runs.
    std::optional<int> poll();

  private:
    std::optional<int> reap(int options);

    pid_t id_ = -1;
    std::optional<int> code_;
};

}  // namespace vnpu::sim

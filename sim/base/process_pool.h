// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vnpu::sim {

/// A process to be started: its arguments after the program name, and its standard input.
struct ProcessTask {
    std::vector<std::string> arguments;
    std::string input;
};

struct ProcessResult {
    /// Ended with exit code `code`; false: by the signal `code`, or never started.
    bool isExited = false;
    int code = 0;
    std::string output;
    std::string errors;
};

/// Runs tasks in processes of one program, several at a time. Threads are not possible, because
/// SystemC elaborates once per process. Used by one thread.
class ProcessPool {
  public:
    /// `stop` may be null; it may be set by a signal handler. A process that takes longer than
    /// `limit` on the wall clock is killed; the last line of its errors then says so.
    ProcessPool(std::string program, unsigned jobs, const std::atomic<bool>* stop = nullptr,
                std::optional<std::chrono::nanoseconds> limit = std::nullopt);

    /// Requests the tasks 0 to `count` - 1 in order and calls `finished` for each that ends, in the
    /// order of the ends, on this thread. Returns false if it was stopped; running processes are
    /// then ended without a call. Throws std::runtime_error if the system has no processes or
    /// descriptors left.
    bool run(std::size_t count, const std::function<ProcessTask(std::size_t)>& task,
             const std::function<void(std::size_t, ProcessResult)>& finished);

  private:
    class Child;

    bool isStopped() const { return stop_ != nullptr && stop_->load(); }
    void killLate(const std::vector<std::unique_ptr<Child>>& children) const;

    std::string program_;
    unsigned jobs_;
    const std::atomic<bool>* stop_;
    std::optional<std::chrono::nanoseconds> limit_;
};

/// The file of the running program.
inline constexpr const char* kOwnProgram = "/proc/self/exe";

/// As many processes as processors.
unsigned defaultJobs();

}  // namespace vnpu::sim

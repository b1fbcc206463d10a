// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vnpu::sim {

/// A process to be started: arguments behind the program's name, and what it reads.
struct ProcessTask {
    std::vector<std::string> arguments;
    std::string input;
};

struct ProcessResult {
    bool isExited = false;  // by itself, with `code`; else by the signal `code`, or never started
    int code = 0;
    std::string output;
    std::string errors;
};

/// Runs tasks in processes of one program, several at a time: SystemC elaborates once per process,
/// so threads would not do. One thread uses it.
class ProcessPool {
  public:
    /// `stop` may be null; it may be set by a signal handler.
    ProcessPool(std::string program, unsigned jobs, const std::atomic<bool>* stop = nullptr);

    /// Asks for the tasks 0 to `count` - 1 in order and tells of each end, in the order of the
    /// ends, on this thread. False if it was stopped: then processes under way were ended and are
    /// not told of. Throws std::runtime_error where the system has no process or descriptor left.
    bool run(std::size_t count, const std::function<ProcessTask(std::size_t)>& task,
             const std::function<void(std::size_t, ProcessResult)>& finished);

  private:
    class Child;

    bool isStopped() const { return stop_ != nullptr && stop_->load(); }

    std::string program_;
    unsigned jobs_;
    const std::atomic<bool>* stop_;
};

/// The file of the running program.
inline constexpr const char* kOwnProgram = "/proc/self/exe";

/// As many processes as processors.
unsigned defaultJobs();

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>

namespace vnpu::hal::test {

/// A child process that shares this process's memory mappings and descriptors and runs `body`. The
/// result of `body` (0 to 255) is the exit code.
class ChildProcess {
  public:
    explicit ChildProcess(const std::function<int()>& body);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Waits for the exit; returns -1 if the process did not exit by itself.
    int wait();

  private:
    pid_t id_ = -1;
};

}  // namespace vnpu::hal::test

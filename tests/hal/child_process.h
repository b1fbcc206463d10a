// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>

namespace vnpu::hal::test {

/// A process that shares this one's memory mappings and descriptors and runs `body`, whose result
/// (0 to 255) is its exit code.
class ChildProcess {
  public:
    explicit ChildProcess(const std::function<int()>& body);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Waits for its end; -1 if it did not exit by itself.
    int wait();

  private:
    pid_t id_ = -1;
};

}  // namespace vnpu::hal::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace vnpu::sim {

/// A process of its own that serves a device at a socket in a folder of its own. It does not
/// outlive the thread that started it.
class ServiceProcess {
  public:
    /// Starts `program`, a vnpu, and waits until it serves. std::runtime_error if it does not.
    ServiceProcess(const std::string& program, const std::vector<std::string>& arguments);
    /// Ends it with SIGTERM, unless it has ended, and waits.
    ~ServiceProcess();
    ServiceProcess(const ServiceProcess&) = delete;
    ServiceProcess& operator=(const ServiceProcess&) = delete;

    const std::string& socketPath() const { return socketPath_; }
    pid_t id() const { return id_; }

    /// Sends the signal and waits for the end; the exit code, or 128 + the signal that ended it.
    int end(int signal);

  private:
    std::string folder_;
    std::string socketPath_;
    pid_t id_ = -1;
};

}  // namespace vnpu::sim

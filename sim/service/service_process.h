// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/child_program.h"
#include "sim/base/scratch_folder.h"

namespace vnpu::sim {

/// A process that serves a device at a socket in a folder of its own. It ends at the latest with
/// the thread that started it.
class ServiceProcess {
  public:
    /// Starts `program`, a vnpu, and waits until it serves. Throws std::runtime_error if it does
    /// not.
    ServiceProcess(const std::string& program, const std::vector<std::string>& arguments);
    /// Ends the process with SIGTERM, unless it has ended, and waits for its end.
    ~ServiceProcess();
    ServiceProcess(const ServiceProcess&) = delete;
    ServiceProcess& operator=(const ServiceProcess&) = delete;

    std::string socketPath() const { return folder_.path() / "vnpu.sock"; }
    ChildProgram& process() { return *process_; }

  private:
    const ScratchFolder folder_;
    std::optional<ChildProgram> process_;
};

}  // namespace vnpu::sim

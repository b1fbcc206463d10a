// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/service/hosted_device.h"
#include "sim/service/service_status.h"
#include "vnpu/hal/rpc_server.h"

namespace vnpu::sim {

/// Live devices and their drivers, served to other processes at a socket: one device in this
/// process, or several, each in a process of its own behind this one, because SystemC elaborates
/// once. Once per process.
class ServiceHost {
  public:
    struct Options {
        std::string socketPath;
        std::vector<std::string> configs{"edge"};  // one device each
        mode_t mode = 0600;
        HostedDevice::Options device;  // without its configuration
    };

    /// Throws InputError for an unusable socket or configuration, std::runtime_error where a device
    /// does not boot.
    explicit ServiceHost(const Options& options);
    /// Ends all connections and waits for calls in progress.
    ~ServiceHost();
    ServiceHost(const ServiceHost&) = delete;
    ServiceHost& operator=(const ServiceHost&) = delete;

    /// The names of the devices, in the order of their configurations.
    const std::vector<std::string>& names() const { return names_; }

    /// What the service holds now. Any thread.
    ServiceStatus status();

  private:
    const std::vector<std::string> names_;
    std::vector<std::unique_ptr<HostedDevice>> devices_;
    std::mutex serverMutex_;  // guards server_, which its own clients query
    std::unique_ptr<hal::RpcServer> server_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>

#include "sim/platform/live_platform.h"
#include "sim/platform/pace.h"
#include "sim/service/error_log.h"
#include "sim/service/service_status.h"
#include "vnpu/hal/rpc_server.h"

namespace vnpu::sim {

/// A live device and its driver, served to other processes at a socket. Once per process.
class ServiceHost {
  public:
    struct Options {
        std::string socketPath;
        std::string config = "edge";
        Pace pace = Pace::maximum();
        mode_t mode = 0600;
        hal::RpcLimits limits;
        driver::UserLimits userLimits;
        bool isLogging = false;  // the driver's reasons, on stderr
    };

    /// InputError where the socket or the configuration is no good; std::runtime_error where the
    /// device does not boot.
    explicit ServiceHost(const Options& options);
    /// Ends all connections, and waits for what is under way.
    ~ServiceHost();
    ServiceHost(const ServiceHost&) = delete;
    ServiceHost& operator=(const ServiceHost&) = delete;

    const std::string& name() const { return name_; }

  private:
    ServiceStatus status();

    ErrorLog log_;
    const std::string name_;
    std::unique_ptr<LivePlatform> platform_;
    std::mutex serverMutex_;  // guards server_, which is asked by its own clients
    std::unique_ptr<hal::RpcServer> server_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/service/service_host.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <utility>

#include "sim/config/load_config.h"
#include "sim/error.h"
#include "sim/service/instance_name.h"

namespace vnpu::sim {

ServiceHost::ServiceHost(const Options& options) : name_(instanceName(options.config)) {
    LivePlatform::Options platform{.config = loadConfig(options.config), .pace = options.pace};
    platform.userLimits = options.userLimits;
    platform.driverObserver = options.isLogging ? &log_ : nullptr;
    platform_ = std::make_unique<LivePlatform>(platform);
    const android::sp<StatusTeller> teller(new StatusTeller([this] { return status(); }));
    auto server = hal::RpcServer::create(
            {.socketPath = options.socketPath,
             .mode = options.mode,
             .limits = options.limits,
             .services = {{name_, platform_->device()}, {kStatusService, teller}}});
    if (!server) {
        throw InputError(server.error());
    }
    const std::lock_guard guard(serverMutex_);
    server_ = std::move(*server);
}

ServiceStatus ServiceHost::status() {
    ServiceStatus status = statusOfProcess();
    status.device = name_;
    status.driver = driver::countersOf(platform_->device());
    status.simulationNs = static_cast<std::uint64_t>(platform_->simulationTime().count());
    const std::lock_guard guard(serverMutex_);
    if (server_ != nullptr) {
        status.users = server_->usage();
    }
    return status;
}

ServiceHost::~ServiceHost() {
    std::unique_ptr<hal::RpcServer> server;
    {
        const std::lock_guard guard(serverMutex_);
        server.swap(server_);
    }
    server = nullptr;
    platform_->settle();
}

}  // namespace vnpu::sim

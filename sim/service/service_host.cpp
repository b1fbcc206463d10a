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
    platform.driverObserver = options.isLogging ? &log_ : nullptr;
    platform_ = std::make_unique<LivePlatform>(platform);
    auto server = hal::RpcServer::create({.socketPath = options.socketPath,
                                          .mode = options.mode,
                                          .limits = options.limits,
                                          .services = {{name_, platform_->device()}}});
    if (!server) {
        throw InputError(server.error());
    }
    server_ = std::move(*server);
}

ServiceHost::~ServiceHost() {
    server_ = nullptr;
    platform_->settle();
}

}  // namespace vnpu::sim

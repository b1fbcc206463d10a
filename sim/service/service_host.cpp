// SPDX-License-Identifier: Apache-2.0
#include "sim/service/service_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/base/error.h"
#include "sim/config/load_config.h"
#include "sim/scenario/device_settings.h"
#include "sim/service/instance_name.h"

namespace vnpu::sim {

namespace {

/// The names of the devices, which must differ.
std::vector<std::string> namesOf(const ServiceHost::Options& options) {
    std::vector<std::string> names;
    for (const std::string& config : options.configs) {
        std::string name = instanceName(config);
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            throw InputError(
                    fmt::format("--config {}: a second {}, expected one of a name", config, name));
        }
        names.push_back(std::move(name));
    }
    // Requests forwarded by this process all carry its UID, so only that user may be served.
    if (names.size() > 1 && (options.mode & 077) != 0) {
        throw InputError(
                fmt::format("--mode {:04o} with {} devices, expected none but the owner's "
                            "permissions, such as 0600",
                            options.mode, names.size()));
    }
    return names;
}

std::vector<std::unique_ptr<HostedDevice>> createDevices(const ServiceHost::Options& options) {
    std::vector<std::unique_ptr<HostedDevice>> devices;
    HostedDevice::Options device = options.device;
    if (options.configs.size() > 1) {
        const DeviceSettings settings = loadDeviceSettings(device.deviceFile);
        for (const std::string& config : options.configs) {
            withOverrides(loadConfig(config), settings.overrides);  // reports a mistake early
        }
    }
    for (const std::string& config : options.configs) {
        device.config = config;
        devices.push_back(options.configs.size() == 1 ? HostedDevice::createHere(device)
                                                      : HostedDevice::createApart(device));
    }
    return devices;
}

}  // namespace

ServiceHost::ServiceHost(const Options& options)
    : names_(namesOf(options)), devices_(createDevices(options)) {
    const android::sp<StatusReporter> reporter(new StatusReporter([this] { return status(); }));
    std::vector<hal::RpcServer::Service> services;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        services.push_back({names_[i], devices_[i]->device()});
    }
    services.push_back({kStatusService, reporter});
    auto server = hal::RpcServer::create({.socketPath = options.socketPath,
                                          .mode = options.mode,
                                          .limits = options.device.limits,
                                          .services = std::move(services)});
    if (!server) {
        const hal::RpcServer::Failure& failure = server.error();
        if (failure.isOfSystem) {
            throw std::runtime_error(failure.reason);
        }
        throw InputError(failure.reason);
    }
    const std::lock_guard guard(serverMutex_);
    server_ = std::move(*server);
}

ServiceStatus ServiceHost::status() {
    ServiceStatus status = statusOfProcess();
    for (const auto& device : devices_) {
        device->addTo(status);
    }
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
    for (const auto& device : devices_) {
        device->settle();
    }
}

}  // namespace vnpu::sim

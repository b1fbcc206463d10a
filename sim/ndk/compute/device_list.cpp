// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/device_list.h"

#include <hidl/ServiceManagement.h>

#include <cstdlib>
#include <utility>

#include "sim/ndk/cpu/cpu_device.h"
#include "sim/ndk/device/hal_device.h"
#include "sim/service/process_device.h"
#include "vnpu/hal/rpc_client.h"

namespace vnpu::sim::ndk {

namespace {

using Devices = std::vector<std::shared_ptr<Device>>;
using nn::V1_3::IDevice;

void addServices(Devices& devices) {
    hal::useServiceSocket();
    for (const std::string& name : android::hardware::getAllHalInstanceNames(IDevice::descriptor)) {
        auto device = HalDevice::create(name, [name] { return IDevice::getService(name); });
        if (device != nullptr) {
            devices.push_back(std::move(device));
        }
    }
    if (devices.empty()) {
        logLine("no service answers at " + hal::serviceSocketPath());
    }
}

void addProcessDevice(Devices& devices) {
    const std::string config = processDeviceConfig();
    const HalDevice::Service service = startProcessDevice(config);
    auto device = HalDevice::create(processDeviceName(config), [service] { return service; });
    if (device != nullptr) {
        devices.push_back(std::move(device));
    }
}

Devices findDevices() {
    Devices found;
    const char* const socket = std::getenv("VNPU_SOCKET");
    if (socket != nullptr && *socket != '\0') {
        addServices(found);
    } else {
        addProcessDevice(found);
    }
    found.push_back(std::make_shared<CpuDevice>());
    return found;
}

}  // namespace

const Devices& devices() {
    // Never destroyed: threads may compute until the process ends.
    static const Devices* const kDevices = std::make_unique<Devices>(findDevices()).release();
    return *kDevices;
}

}  // namespace vnpu::sim::ndk

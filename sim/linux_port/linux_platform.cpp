// SPDX-License-Identifier: Apache-2.0
#include "sim/linux_port/linux_platform.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

#include "driver/api/device.h"
#include "driver/port/device_info.h"
#include "sim/linux_port/linux_port.h"
#include "sim/platform/port_client.h"

namespace vnpu::sim {

namespace {

hw::NpuConfig configOf(const std::string& node, const driver::DeviceInfo& info) {
    hw::NpuConfig config;
    config.name = node;
    config.clockKhz = static_cast<std::uint32_t>(info.clockHz / 1000);
    config.mac.rows = info.macRows;
    config.mac.columns = info.macColumns;
    config.mac.dataflow = static_cast<hw::Dataflow>(info.dataflow);
    config.sram.kib = static_cast<std::uint32_t>(info.sramBytes / 1024);
    config.dram.bytesPerCycle = info.dramBytesPerCycle;
    config.timingOnly = info.isTimingOnly;
    return config;
}

}  // namespace

void runOnKernelDriver(
        const std::string& node, driver::DriverObserver* observer,
        const std::function<void(ClientContext& context, const hw::NpuConfig& config)>& body) {
    LinuxPort port(node);
    const auto info = driver::DeviceInfo::read(port);
    if (!info) {
        throw std::runtime_error(fmt::format("{}: {}", node, info.error().reason));
    }
    driver::DriverOptions options;
    options.observer = observer;
    options.deadlineClock = [] {
        return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch());
    };
    auto device = driver::createDevice(port, options);
    if (!device) {
        throw std::runtime_error(
                fmt::format("{}: the device did not boot: {}", node, device.error().reason));
    }
    {
        const std::string name = "infer";
        PortClient client(name, getuid(), port, std::move(*device));
        body(client, configOf(node, *info));
    }
    *device = nullptr;
    port.drain();
}

}  // namespace vnpu::sim

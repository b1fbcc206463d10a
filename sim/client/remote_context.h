// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "sim/platform/platform.h"
#include "vnpu/hal/rpc_client.h"

namespace vnpu::sim {

/// A client of a service in another process, on the steady clock. If the service dies, waiting for
/// an event throws std::runtime_error. Any thread.
class RemoteContext : public ClientContext {
  public:
    /// Connects to the device of that name, or the first one if the name is empty.
    /// std::runtime_error if there is none.
    explicit RemoteContext(const std::string& socketPath, const std::string& service = "");
    ~RemoteContext() override;
    RemoteContext(const RemoteContext&) = delete;
    RemoteContext& operator=(const RemoteContext&) = delete;

    const std::string& name() const override { return name_; }
    std::uint32_t uid() const override;
    android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device() override {
        return device_;
    }
    std::chrono::nanoseconds now() override;
    void sleepUntil(std::chrono::nanoseconds time) override;
    std::unique_ptr<driver::HostEvent> createEvent() override;
    driver::DevicePort& port() override;
    bool hasSystemThread() override { return true; }

  private:
    class Event;
    class Death;
    struct Signals;

    std::unique_ptr<hal::RpcClient> client_;
    std::string name_;
    android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device_;
    const std::shared_ptr<Signals> signals_;
    android::sp<Death> death_;
};

}  // namespace vnpu::sim

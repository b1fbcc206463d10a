// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "sim/platform/platform.h"

namespace vnpu::sim {

/// A client on an ordinary thread, of a driver in this process. It may not outlive the name.
class PortClient : public ClientContext {
  public:
    PortClient(const std::string& name, std::uint32_t uid, driver::DevicePort& port,
               android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device)
        : name_(name), uid_(uid), port_(port), device_(std::move(device)) {}

    const std::string& name() const override { return name_; }
    std::uint32_t uid() const override { return uid_; }
    android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device() override {
        return device_;
    }
    std::chrono::nanoseconds now() override { return port_.now(); }
    void sleepUntil(std::chrono::nanoseconds time) override {
        if (const auto left = time - now(); left > std::chrono::nanoseconds::zero()) {
            createEvent()->waitFor(left);
        }
    }
    std::unique_ptr<driver::HostEvent> createEvent() override { return port_.createEvent(); }
    driver::DevicePort& port() override { return port_; }

  private:
    const std::string& name_;
    const std::uint32_t uid_;
    driver::DevicePort& port_;
    const android::sp<android::hardware::neuralnetworks::V1_3::IDevice> device_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/models/operand_types.h"
#include "sim/platform/platform.h"

namespace vnpu::sim::test {

/// The answers of a FakeDevice; the test may change them between calls.
struct FakeBehavior {
    nn::ErrorStatus supportStatus = nn::ErrorStatus::NONE;
    bool isSupported = true;
    nn::ErrorStatus prepareLaunch = nn::ErrorStatus::NONE;
    nn::ErrorStatus prepareStatus = nn::ErrorStatus::NONE;
    nn::ErrorStatus executeLaunch = nn::ErrorStatus::NONE;
    nn::ErrorStatus executeStatus = nn::ErrorStatus::NONE;
    std::vector<nn12::OutputShape> outputShapes = {};
    nn12::Timing timing{7, 9};  // if it is requested
    bool tellsTimesUnasked = false;
    std::uint32_t cacheFiles = 0;  // of each kind
    nn::ErrorStatus cacheStatus = nn::ErrorStatus::NONE;
    nn::ErrorStatus allocateStatus = nn::ErrorStatus::GENERAL_FAILURE;
    /// Called with each executed request, to read and write its pools.
    std::function<void(const nn::Request&)> onExecute = {};

    // Counts of calls.
    int synchronousCalls = 0, asynchronousCalls = 0;
    std::size_t savedFiles = 0, loadedFiles = 0;
    nn::Priority priority{};
    nn12::MeasureTiming measure{};
    nn::OptionalTimePoint deadline{};
    nn::OptionalTimeoutDuration loopTimeout{};
};

/// An IDevice that computes nothing and answers immediately on the caller's thread. Methods of
/// earlier versions that prepare and execute return a transport error.
android::sp<nn::IDevice> makeFakeDevice(FakeBehavior& behavior);

/// A client's context around a FakeDevice, with a clock that only the test advances.
class FakeContext : public ClientContext {
  public:
    FakeContext() : device_(makeFakeDevice(behavior)) {}

    FakeBehavior behavior;
    std::chrono::nanoseconds time{1000};

    const std::string& name() const override { return name_; }
    std::uint32_t uid() const override { return 10000; }
    android::sp<nn::IDevice> device() override { return device_; }
    std::chrono::nanoseconds now() override { return time; }
    void sleepUntil(std::chrono::nanoseconds until) override { time = until; }
    std::unique_ptr<driver::HostEvent> createEvent() override;
    driver::DevicePort& port() override;

  private:
    std::string name_ = "test";
    android::sp<nn::IDevice> device_;
};

}  // namespace vnpu::sim::test

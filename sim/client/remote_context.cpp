// SPDX-License-Identifier: Apache-2.0
#include "sim/client/remote_context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace vnpu::sim {

using android::hardware::neuralnetworks::V1_3::IDevice;
using std::chrono::nanoseconds;

/// The death of the service, shared by all events of a context.
struct RemoteContext::Signals {
    std::mutex mutex;  // guards isDead, and whether events are set
    std::condition_variable changed;
    bool isDead = false;
};

class RemoteContext::Event : public driver::HostEvent {
  public:
    explicit Event(std::shared_ptr<Signals> signals) : signals_(std::move(signals)) {}

    void set() override { change(true); }
    void reset() override { change(false); }
    void wait() override {
        std::unique_lock lock(signals_->mutex);
        signals_->changed.wait(lock, [this] { return isSet_ || signals_->isDead; });
        requireSet();
    }
    bool waitFor(nanoseconds timeout) override {
        std::unique_lock lock(signals_->mutex);
        const bool isOver = signals_->changed.wait_for(
                lock, timeout, [this] { return isSet_ || signals_->isDead; });
        if (isOver) {
            requireSet();
        }
        return isOver;
    }

  private:
    void change(bool isSet) {
        const std::lock_guard guard(signals_->mutex);
        isSet_ = isSet;
        signals_->changed.notify_all();
    }
    void requireSet() const {
        if (!isSet_) {
            throw std::runtime_error("the service died");
        }
    }

    const std::shared_ptr<Signals> signals_;
    bool isSet_ = false;
};

class RemoteContext::Death : public android::hardware::hidl_death_recipient {
  public:
    explicit Death(std::shared_ptr<Signals> signals) : signals_(std::move(signals)) {}
    void serviceDied(std::uint64_t /*cookie*/,
                     const android::wp<android::hidl::base::V1_0::IBase>& /*who*/) override {
        const std::lock_guard guard(signals_->mutex);
        signals_->isDead = true;
        signals_->changed.notify_all();
    }

  private:
    const std::shared_ptr<Signals> signals_;
};

RemoteContext::RemoteContext(const std::string& socketPath, const std::string& service)
    : name_(service), signals_(std::make_shared<Signals>()), death_(new Death(signals_)) {
    auto client = hal::RpcClient::connect(socketPath);
    if (!client) {
        throw std::runtime_error(client.error());
    }
    client_ = std::move(*client);
    if (name_.empty()) {
        const auto names = client_->names(IDevice::descriptor);
        if (!names || names->empty()) {
            throw std::runtime_error(
                    fmt::format("{}: {}", socketPath, names ? "serves no device" : names.error()));
        }
        name_ = names->front();
    }
    const auto found = client_->find(IDevice::descriptor, name_);
    if (!found) {
        throw std::runtime_error(fmt::format("{}: {}", socketPath, found.error()));
    }
    device_ = IDevice::castFrom(*found).withDefault(nullptr);
    if (device_ == nullptr || !device_->linkToDeath(death_, 0).withDefault(false)) {
        throw std::runtime_error(fmt::format("{} serves no device {}", socketPath, name_));
    }
}

RemoteContext::~RemoteContext() = default;

std::uint32_t RemoteContext::uid() const {
    return getuid();
}

nanoseconds RemoteContext::now() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

void RemoteContext::sleepUntil(nanoseconds time) {
    std::this_thread::sleep_until(std::chrono::steady_clock::time_point(time));
}

std::unique_ptr<driver::HostEvent> RemoteContext::createEvent() {
    return std::make_unique<Event>(signals_);
}

driver::DevicePort& RemoteContext::port() {
    throw std::logic_error("the device is in another process");
}

}  // namespace vnpu::sim

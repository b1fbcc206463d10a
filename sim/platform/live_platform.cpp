// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/live_platform.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <systemc>
#include <thread>
#include <utility>

#include "firmware/core/firmware.h"
#include "hw_model/blocks/device.h"
#include "sim/base/start_thread.h"
#include "sim/bringup/bus_tools.h"
#include "sim/platform/live_port.h"
#include "sim/platform/port_client.h"
#include "vnpu/hal/caller_identity.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::IDevice;
using std::chrono::nanoseconds;

/// The UID of the client that runs on this thread.
thread_local std::optional<std::uint32_t> threadUid;

nanoseconds steadyNow() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

/// The environment's choice, as programs that contain the device have no options of ours.
bool isLintWanted() {
    const char* value = std::getenv("VNPU_LINT");
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

/// The connected device and port. Simulation thread.
struct Simulation {
    explicit Simulation(const LivePlatform::Options& options)
        : tools({.isLinting = isLintWanted()}, options.config),
          port("host", options.config, options.pace),
          device("npu",
                 hw::Device::Options{options.config, fw::createFirmware(), options.deviceObserver,
                                     options.faults, /*mayRunAhead=*/true,
                                     staleTranslationSink(tools.observer())}),
          irq("irq") {
        port.connect(device, irq, tools.observer());
    }

    BusTools tools;
    LivePort port;
    hw::Device device;
    sc_core::sc_signal<bool> irq;
};

}  // namespace

struct LivePlatform::Impl {
    explicit Impl(const Options& options);
    ~Impl();

    std::thread thread;
    LivePort* port = nullptr;  // lives on the simulation's thread until stop()
    android::sp<IDevice> service;
};

LivePlatform::Impl::Impl(const Options& options) {
    std::promise<LivePort*> isBuilt;
    thread = startThread("the simulation", [&isBuilt, options] {
        // On the heap, because a leak checker does not see all stacks of the simulation.
        std::unique_ptr<Simulation> simulation;
        try {
            simulation = std::make_unique<Simulation>(options);
        } catch (...) {
            isBuilt.set_exception(std::current_exception());
            return;
        }
        isBuilt.set_value(&simulation->port);
        simulation->port.simulate();
        simulation->tools.finish(sc_core::sc_time_stamp().value());
    });
    try {
        port = isBuilt.get_future().get();
    } catch (...) {
        thread.join();
        throw;
    }
    driver::DriverOptions driverOptions;
    driverOptions.observer = options.driverObserver;
    driverOptions.deadlineClock = steadyNow;
    driverOptions.userLimits = options.userLimits;
    driverOptions.scheduling = options.scheduling;
    driverOptions.onChip = options.onChip;
    auto created = driver::createDevice(*port, driverOptions);
    if (!created) {
        port->stop();
        thread.join();
        throw std::runtime_error(
                fmt::format("the device did not boot: {}", created.error().reason));
    }
    service = std::move(*created);
    vnpu::hal::setCallerUidProvider([] { return threadUid.value_or(getuid()); });
}

LivePlatform::Impl::~Impl() {
    service = nullptr;
    port->stop();
    thread.join();
    vnpu::hal::setCallerUidProvider({});
}

LivePlatform::LivePlatform(const Options& options) : impl_(std::make_unique<Impl>(options)) {}

LivePlatform::~LivePlatform() = default;

const android::sp<IDevice>& LivePlatform::device() const {
    return impl_->service;
}

driver::DevicePort& LivePlatform::port() {
    return *impl_->port;
}

void LivePlatform::runOnDevice(const std::function<void()>& work) {
    impl_->port->call(work);
}

nanoseconds LivePlatform::simulationTime() const {
    clockid_t clock{};
    timespec time{};
    pthread_getcpuclockid(impl_->thread.native_handle(), &clock);
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

void LivePlatform::settle() {
    impl_->port->drain();
}

void LivePlatform::freeze() {
    impl_->port->freeze();
}

void LivePlatform::run(const std::vector<Client>& clients) {
    std::mutex mutex;  // guards failure
    std::exception_ptr failure;
    std::vector<std::thread> threads;
    threads.reserve(clients.size());
    for (const Client& client : clients) {
        threads.emplace_back([&] {
            threadUid = client.uid;
            try {
                PortClient context(client.name, client.uid, *impl_->port, impl_->service);
                client.body(context);
            } catch (...) {
                const std::lock_guard guard(mutex);
                failure = failure ? failure : std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    settle();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace vnpu::sim

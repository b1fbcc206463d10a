// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/platform.h"

#include <fmt/format.h>

#ifdef VNPU_ADDRESS_SANITIZER
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include <deque>
#include <exception>
#include <stdexcept>
#include <systemc>
#include <vector>

#include "firmware/core/firmware.h"
#include "hw_model/blocks/device.h"
#include "sim/bringup/bus_tools.h"
#include "sim/platform/virtual_port.h"
#include "vnpu/hal/caller_identity.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::IDevice;

/// Announces to AddressSanitizer that this thread is back on its own stack. SystemC 2.3.4 announces
/// each switch of stacks, but the switch to the main stack without its location, so that an
/// exception there would be reported as an overflow.
void announceMainStack() {
#ifdef VNPU_ADDRESS_SANITIZER
    pthread_attr_t attributes;
    void* bottom = nullptr;
    std::size_t sizeBytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &bottom, &sizeBytes);
        pthread_attr_destroy(&attributes);
        __sanitizer_start_switch_fiber(nullptr, bottom, sizeBytes);
        __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
    }
#endif
}

}  // namespace

struct Platform::Impl {
    class Client;

    explicit Impl(Options platformOptions);
    ~Impl();

    void runHost();
    void stopWith(std::exception_ptr error);
    std::uint32_t currentUid() const;

    Options options;
    VirtualPort port;
    hw::Device device;
    sc_core::sc_signal<bool> irq;
    android::sp<IDevice> service;
    std::deque<Client> clients;
    std::size_t runningClients = 0;
    sc_core::sc_event clientReturned;
    std::exception_ptr failure;
    bool isFinished = false;
};

/// One client: its context and the process that runs its body.
class Platform::Impl::Client : public ClientContext {
  public:
    Client(Impl& platform, std::string name, std::uint32_t uid,
           std::function<void(ClientContext&)> body)
        : platform_(platform), name_(std::move(name)), uid_(uid), body_(std::move(body)) {}

    const std::string& name() const override { return name_; }
    std::uint32_t uid() const override { return uid_; }
    android::sp<IDevice> device() override { return platform_.service; }
    std::chrono::nanoseconds now() override { return platform_.port.now(); }
    void sleepUntil(std::chrono::nanoseconds time) override {
        if (time > now()) {
            platform_.port.wait(toScTime(time - now()));
        }
    }
    std::unique_ptr<driver::HostEvent> createEvent() override {
        return platform_.port.createEvent();
    }
    driver::DevicePort& port() override { return platform_.port; }

    void start() {
        process_ = spawnHostThread([this] { run(); }, sc_core::sc_gen_unique_name("client"));
    }

    bool isCurrent() const {
        return process_.valid() && sc_core::sc_get_current_process_handle() == process_;
    }

  private:
    void run() {
        try {
            body_(*this);
        } catch (const sc_core::sc_unwind_exception&) {
            throw;  // SystemC ends the thread
        } catch (...) {
            platform_.stopWith(std::current_exception());
        }
        --platform_.runningClients;
        platform_.clientReturned.notify(sc_core::SC_ZERO_TIME);
    }

    Impl& platform_;
    std::string name_;
    std::uint32_t uid_;
    std::function<void(ClientContext&)> body_;
    sc_core::sc_process_handle process_;
};

Platform::Impl::Impl(Options platformOptions)
    : options(std::move(platformOptions)),
      port("host", options.config),
      device("npu",
             hw::Device::Options{options.config, fw::createFirmware(), options.deviceObserver,
                                 options.faults,
                                 /*mayRunAhead=*/true, staleTranslationSink(options.busObserver)}),
      irq("irq") {
    port.connect(device, irq, options.busObserver);
    vnpu::hal::setCallerUidProvider([this] { return currentUid(); });
}

Platform::Impl::~Impl() {
    vnpu::hal::setCallerUidProvider({});
}

std::uint32_t Platform::Impl::currentUid() const {
    for (const Client& client : clients) {
        if (client.isCurrent()) {
            return client.uid();
        }
    }
    return 0;
}

void Platform::Impl::stopWith(std::exception_ptr error) {
    if (!failure) {
        failure = std::move(error);
    }
    sc_core::sc_stop();
}

void Platform::Impl::runHost() {
    try {
        driver::DriverOptions driverOptions;
        driverOptions.observer = options.driverObserver;
        driverOptions.scheduling = options.scheduling;
        driverOptions.onChip = options.onChip;
        driverOptions.experiments.insists = options.insists;
        auto created = driver::createDevice(port, driverOptions, options.compiler);
        if (!created) {
            throw std::runtime_error(
                    fmt::format("the device did not boot: {}", created.error().reason));
        }
        service = std::move(*created);
        runningClients = clients.size();
        for (Client& client : clients) {
            client.start();
        }
        while (runningClients != 0) {
            sc_core::wait(clientReturned);
        }
        service = nullptr;
        isFinished = true;
        sc_core::sc_stop();
    } catch (const sc_core::sc_unwind_exception&) {
        throw;
    } catch (...) {
        stopWith(std::current_exception());
    }
}

Platform::Platform(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {
    // Suppresses the message of SystemC about sc_stop().
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO,
                                            sc_core::SC_DO_NOTHING);
}

Platform::~Platform() = default;

void Platform::addClient(std::string name, std::uint32_t uid,
                         std::function<void(ClientContext&)> body) {
    impl_->clients.emplace_back(*impl_, std::move(name), uid, std::move(body));
}

void Platform::run() {
    spawnHostThread([this] { impl_->runHost(); }, "host_main");
    sc_core::sc_start();
    announceMainStack();
    if (impl_->failure) {
        std::rethrow_exception(impl_->failure);
    }
    if (!impl_->isFinished) {
        throw std::runtime_error(
                fmt::format("nothing can happen any more at {} ns, but {} of {} clients still wait",
                            now().count(), impl_->runningClients, impl_->clients.size()));
    }
}

std::uint64_t Platform::count(hw::regs::PerfEvent event) const {
    return impl_->device.count(event);
}

std::chrono::nanoseconds Platform::now() const {
    return toNanoseconds(sc_core::sc_time_stamp());
}

}  // namespace vnpu::sim

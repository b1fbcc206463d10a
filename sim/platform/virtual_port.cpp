// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/virtual_port.h"

#include <utility>

namespace vnpu::sim {

namespace {

/// A SystemC event with the interface of the driver.
class VirtualEvent : public driver::HostEvent {
  public:
    explicit VirtualEvent(VirtualPort& port) : port_(port) {}

    void set() override {
        isSet_ = true;
        event_.notify(sc_core::SC_ZERO_TIME);
    }
    void reset() override { isSet_ = false; }
    void wait() override {
        while (!isSet_) {
            port_.wait(event_);
        }
    }
    bool waitFor(std::chrono::nanoseconds timeout) override {
        const sc_core::sc_time deadline = sc_core::sc_time_stamp() + toScTime(timeout);
        while (!isSet_ && sc_core::sc_time_stamp() < deadline) {
            port_.wait(deadline - sc_core::sc_time_stamp(), event_);
        }
        return isSet_;
    }

  private:
    VirtualPort& port_;
    bool isSet_ = false;
    sc_core::sc_event event_;
};

}  // namespace

sc_core::sc_process_handle spawnHostThread(std::function<void()> body, const char* name) {
    constexpr int kStackBytes = 2 << 20;  // chosen: several times the frames of compiler and tests
    sc_core::sc_spawn_options options;
    options.set_stack_size(kStackBytes);
    return sc_core::sc_spawn(std::move(body), name, &options);
}

VirtualPort::VirtualPort(const sc_core::sc_module_name& name, const hw::NpuConfig& config)
    : HostBus(name, config), costs_(config.host) {
    spawnHostThread([this] { serveInterrupts(); }, "interrupt_thread");
}

VirtualPort::~VirtualPort() = default;

void VirtualPort::payFor(std::uint32_t costNs) {
    const sc_core::sc_time time = owed_ + sc_core::sc_time(costNs, sc_core::SC_NS);
    owed_ = sc_core::SC_ZERO_TIME;
    if (time != sc_core::SC_ZERO_TIME) {
        wait(time);
    }
}

std::uint32_t VirtualPort::read32(std::uint32_t offset) {
    payFor(costs_.registerReadNs);
    std::uint32_t value = 0;
    owed_ += access(tlm::TLM_READ_COMMAND, offset, value);
    return value;
}

void VirtualPort::write32(std::uint32_t offset, std::uint32_t value) {
    owed_ += access(tlm::TLM_WRITE_COMMAND, offset, value);
    owed_ += sc_core::sc_time(costs_.registerWriteNs, sc_core::SC_NS);
}

void VirtualPort::setInterruptHandler(std::function<void()> handler) {
    interruptHandler_ = std::move(handler);
}

std::unique_ptr<driver::HostEvent> VirtualPort::createEvent() {
    return std::make_unique<VirtualEvent>(*this);
}

driver::Result<void> VirtualPort::post(std::function<void()> work) {
    work_.push_back(std::move(work));
    if (idleWorkers_ < work_.size()) {
        ++idleWorkers_;
        spawnHostThread([this] { serveWork(); }, sc_core::sc_gen_unique_name("worker_thread"));
    }
    workArrived_.notify(sc_core::SC_ZERO_TIME);
    return {};
}

void VirtualPort::serveWork() {
    while (true) {
        while (work_.empty()) {
            wait(workArrived_);
        }
        auto work = std::move(work_.front());
        work_.pop_front();
        --idleWorkers_;
        device().finishWork();  // for a new worker, which has not waited yet; a wait would do it
        work();
        ++idleWorkers_;
    }
}

void VirtualPort::serveInterrupts() {
    while (true) {
        while (!irq.read()) {
            wait(irq.posedge_event());
        }
        wait(sc_core::sc_time(costs_.interruptNs, sc_core::SC_NS));
        if (interruptHandler_) {
            interruptHandler_();
        }
        // The line is a signal, so that a change by the handler is visible one delta cycle later.
        wait(sc_core::SC_ZERO_TIME);
        wait(sc_core::SC_ZERO_TIME);
    }
}

std::chrono::nanoseconds VirtualPort::now() {
    return toNanoseconds(sc_core::sc_time_stamp());
}

void VirtualPort::chargeHost(driver::HostWork work) {
    payFor(work == driver::HostWork::kSubmit ? costs_.submitNs : costs_.completeNs);
}

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/virtual_port.h"

#include <cstring>

#include "hw_model/regs/check.h"

namespace vnpu::sim {

namespace {

/// An event of SystemC's behind the driver's interface.
class VirtualEvent : public driver::HostEvent {
  public:
    void set() override {
        isSet_ = true;
        event_.notify(sc_core::SC_ZERO_TIME);
    }
    void reset() override { isSet_ = false; }
    void wait() override {
        while (!isSet_) {
            sc_core::wait(event_);
        }
    }
    bool waitFor(std::chrono::nanoseconds timeout) override {
        const sc_core::sc_time deadline = sc_core::sc_time_stamp() + toScTime(timeout);
        while (!isSet_ && sc_core::sc_time_stamp() < deadline) {
            sc_core::wait(deadline - sc_core::sc_time_stamp(), event_);
        }
        return isSet_;
    }

  private:
    bool isSet_ = false;
    sc_core::sc_event event_;
};

}  // namespace

std::chrono::nanoseconds toNanoseconds(const sc_core::sc_time& time) {
    // The resolution is SystemC's default of one picosecond.
    return std::chrono::nanoseconds(static_cast<std::int64_t>(time.value() / 1000));
}

sc_core::sc_time toScTime(std::chrono::nanoseconds time) {
    return sc_core::sc_time::from_value(static_cast<std::uint64_t>(time.count()) * 1000);
}

VirtualPort::VirtualPort(const sc_core::sc_module_name& name, const hw::NpuConfig& config)
    : sc_core::sc_module(name),
      registers("registers"),
      memory("memory"),
      irq("irq"),
      costs_(config.host),
      busMemory_(std::uint64_t{config.dram.mib} << 20) {
    memory.register_b_transport(this, &VirtualPort::transport);
    memory.register_transport_dbg(this, &VirtualPort::transportDebug);
    memory.register_get_direct_mem_ptr(this, &VirtualPort::directMemory);
    sc_core::sc_spawn_options options;
    options.set_stack_size(static_cast<int>(kHostStackBytes));
    sc_core::sc_spawn([this] { serveInterrupts(); }, "interrupt_thread", &options);
}

VirtualPort::~VirtualPort() = default;

void VirtualPort::access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof(value));
    payload.set_streaming_width(sizeof(value));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    registers->b_transport(payload, delay);
    owed_ += delay;
    if (!payload.is_response_ok() && command == tlm::TLM_READ_COMMAND) {
        value = 0xFFFFFFFF;  // what a bus master reads where nothing answers
    }
}

void VirtualPort::payFor(std::uint32_t costNs) {
    const sc_core::sc_time time = owed_ + sc_core::sc_time(costNs, sc_core::SC_NS);
    owed_ = sc_core::SC_ZERO_TIME;
    if (time != sc_core::SC_ZERO_TIME) {
        sc_core::wait(time);
    }
}

std::uint32_t VirtualPort::read32(std::uint32_t offset) {
    payFor(costs_.registerReadNs);
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, offset, value);
    return value;
}

void VirtualPort::write32(std::uint32_t offset, std::uint32_t value) {
    access(tlm::TLM_WRITE_COMMAND, offset, value);
    owed_ += sc_core::sc_time(costs_.registerWriteNs, sc_core::SC_NS);
}

driver::Result<driver::DmaBuffer> VirtualPort::allocateDma(std::uint64_t sizeBytes) {
    auto range = busMemory_.allocate(sizeBytes);
    if (!range) {
        return tl::unexpected(std::move(range.error()));
    }
    return driver::DmaBuffer{range->host, range->busAddress, range->sizeBytes};
}

void VirtualPort::freeDma(const driver::DmaBuffer& buffer) {
    busMemory_.free(buffer.busAddress);
}

driver::Result<std::uint64_t> VirtualPort::mapDma(void* pages, std::uint64_t sizeBytes) {
    return busMemory_.map(pages, sizeBytes);
}

void VirtualPort::unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    VNPU_CHECK(sizeBytes != 0, "a mapping has a size");
    busMemory_.unmap(busAddress);
    memory->invalidate_direct_mem_ptr(busAddress, busAddress + sizeBytes - 1);
}

void VirtualPort::setInterruptHandler(std::function<void()> handler) {
    interruptHandler_ = std::move(handler);
}

std::unique_ptr<driver::HostEvent> VirtualPort::createEvent() {
    return std::make_unique<VirtualEvent>();
}

void VirtualPort::post(std::function<void()> work) {
    work_.push_back(std::move(work));
    if (idleWorkers_ < work_.size()) {
        sc_core::sc_spawn_options options;
        options.set_stack_size(static_cast<int>(kHostStackBytes));
        ++idleWorkers_;
        sc_core::sc_spawn([this] { serveWork(); }, sc_core::sc_gen_unique_name("worker_thread"),
                          &options);
    }
    workArrived_.notify(sc_core::SC_ZERO_TIME);
}

void VirtualPort::serveWork() {
    while (true) {
        while (work_.empty()) {
            sc_core::wait(workArrived_);
        }
        auto work = std::move(work_.front());
        work_.pop_front();
        --idleWorkers_;
        work();
        ++idleWorkers_;
    }
}

void VirtualPort::serveInterrupts() {
    while (true) {
        while (!irq.read()) {
            sc_core::wait(irq.posedge_event());
        }
        sc_core::wait(sc_core::sc_time(costs_.interruptNs, sc_core::SC_NS));
        if (interruptHandler_) {
            interruptHandler_();
        }
        // The line is a signal: what the handler cleared shows one delta cycle later.
        sc_core::wait(sc_core::SC_ZERO_TIME);
        sc_core::wait(sc_core::SC_ZERO_TIME);
    }
}

std::chrono::nanoseconds VirtualPort::now() {
    return toNanoseconds(sc_core::sc_time_stamp());
}

void VirtualPort::chargeHost(driver::HostWork work) {
    payFor(work == driver::HostWork::kSubmit ? costs_.submitNs : costs_.completeNs);
}

unsigned VirtualPort::transportDebug(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const std::uint64_t bytes = payload.get_data_length();
    const BusMemory::Range range = busMemory_.find(address);
    if (range.host == nullptr || address - range.busAddress + bytes > range.sizeBytes) {
        return 0;
    }
    std::byte* host = range.host + (address - range.busAddress);
    if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), host, bytes);
    } else if (payload.is_write()) {
        std::memcpy(host, payload.get_data_ptr(), bytes);
    }
    return static_cast<unsigned>(bytes);
}

void VirtualPort::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    payload.set_response_status(transportDebug(payload) == payload.get_data_length()
                                        ? tlm::TLM_OK_RESPONSE
                                        : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

bool VirtualPort::directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
    const BusMemory::Range range = busMemory_.find(payload.get_address());
    if (range.host == nullptr) {
        return false;
    }
    region.init();
    region.set_dmi_ptr(reinterpret_cast<unsigned char*>(range.host));
    region.set_start_address(range.busAddress);
    region.set_end_address(range.busAddress + range.sizeBytes - 1);
    region.allow_read_write();
    return true;
}

}  // namespace vnpu::sim

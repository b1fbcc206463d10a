// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/host_bus.h"

#include <cstring>
#include <span>
#include <utility>

#include "hw_model/regs/check.h"

namespace vnpu::sim {

std::chrono::nanoseconds toNanoseconds(const sc_core::sc_time& time) {
    // The resolution is SystemC's default of one picosecond.
    return std::chrono::nanoseconds(static_cast<std::int64_t>(time.value() / 1000));
}

sc_core::sc_time toScTime(std::chrono::nanoseconds time) {
    return sc_core::sc_time::from_value(static_cast<std::uint64_t>(time.count()) * 1000);
}

HostBus::HostBus(const sc_core::sc_module_name& name, const hw::NpuConfig& config)
    : sc_core::sc_module(name),
      registers("registers"),
      memory("memory"),
      irq("irq"),
      busMemory_(std::uint64_t{config.dram.mib} << 20) {
    memory.register_b_transport(this, &HostBus::transport);
    memory.register_transport_dbg(this, &HostBus::transportDebug);
    memory.register_get_direct_mem_ptr(this, &HostBus::directMemory);
}

void HostBus::connect(hw::Device& device, sc_core::sc_signal<bool>& line, BusObserver* observer) {
    registers.bind(device.registers);
    device.memory.bind(memory);
    device.irq(line);
    irq(line);
    device_ = &device;
    observer_ = observer;
    if (observer_ != nullptr) {
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.dont_initialize();
        options.set_sensitivity(&line);
        sc_core::sc_spawn([this] { followLine(); }, "observed_line", &options);
    }
}

void HostBus::followLine() {
    observer_->interruptLine(sc_core::sc_time_stamp().value(), irq.read());
}

sc_core::sc_time HostBus::access(tlm::tlm_command command, std::uint32_t offset,
                                 std::uint32_t& value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof(value));
    payload.set_streaming_width(sizeof(value));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    registers->b_transport(payload, delay);
    if (!payload.is_response_ok() && command == tlm::TLM_READ_COMMAND) {
        value = 0xFFFFFFFF;  // the value of an unanswered read
    }
    if (observer_ != nullptr) {
        const std::uint64_t time = sc_core::sc_time_stamp().value();
        const bool isAnswered = payload.is_response_ok();
        if (command == tlm::TLM_READ_COMMAND) {
            observer_->registerRead(time, offset, value, isAnswered);
        } else {
            observer_->registerWritten(time, offset, value, isAnswered);
        }
    }
    return delay;
}

driver::Result<driver::DmaBuffer> HostBus::allocateDma(std::uint64_t sizeBytes) {
    auto range = busMemory_.allocate(sizeBytes);
    if (!range) {
        return tl::unexpected(std::move(range.error()));
    }
    return driver::DmaBuffer{range->host, range->busAddress, range->sizeBytes};
}

void HostBus::freeDma(const driver::DmaBuffer& buffer) {
    busMemory_.free(buffer.busAddress);
}

driver::Result<std::uint64_t> HostBus::mapDma(void* pages, std::uint64_t sizeBytes) {
    return busMemory_.map(pages, sizeBytes);
}

void HostBus::unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    VNPU_CHECK(sizeBytes != 0, "a mapping has a size");
    busMemory_.unmap(busAddress);
    memory->invalidate_direct_mem_ptr(busAddress, busAddress + sizeBytes - 1);
}

std::byte* HostBus::mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(busAddress);
    tlm::tlm_dmi grant;
    const bool isGranted = sizeBytes != 0 && registers->get_direct_mem_ptr(payload, grant) &&
                           busAddress >= grant.get_start_address() &&
                           sizeBytes - 1 <= grant.get_end_address() - busAddress;
    return isGranted ? reinterpret_cast<std::byte*>(grant.get_dmi_ptr()) +
                               (busAddress - grant.get_start_address())
                     : nullptr;
}

unsigned HostBus::transportDebug(tlm::tlm_generic_payload& payload) {
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

void HostBus::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    const bool isAnswered = transportDebug(payload) == payload.get_data_length();
    payload.set_response_status(isAnswered ? tlm::TLM_OK_RESPONSE
                                           : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (observer_ == nullptr) {
        return;
    }
    const std::uint64_t time = device().localTime().value();
    const auto data = std::as_bytes(std::span(payload.get_data_ptr(), payload.get_data_length()));
    if (payload.is_read()) {
        observer_->memoryRead(time, payload.get_address(), data, isAnswered);
    } else {
        observer_->memoryWritten(time, payload.get_address(), data, isAnswered);
    }
}

bool HostBus::directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
    const BusMemory::Range range = busMemory_.find(payload.get_address());
    if (range.host == nullptr || observer_ != nullptr) {
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

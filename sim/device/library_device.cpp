// SPDX-License-Identifier: Apache-2.0
#include "sim/device/library_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "hw_model/regs/engines.h"
#include "hw_model/regs/register_map.h"
#include "sim/device/state_text.h"

namespace hw = vnpu::hw;

vnpu_device::vnpu_device(const sc_core::sc_module_name& name, Options options)
    : sc_module(name),
      host_(options.host),
      tools_(std::move(options.tools)),
      observer_(tools_->observer()),
      residentBytes_(std::uint64_t{options.config.sram.residentKib} << 10),
      device_("npu", hw::Device::Options{.config = options.config,
                                         .firmware = std::move(options.program),
                                         .observer = host_.log == nullptr ? nullptr : this,
                                         .faults = options.faults.empty() ? nullptr : &faults_,
                                         .mayRunAhead = true,
                                         .onStaleTranslation =
                                                 vnpu::sim::staleTranslationSink(observer_)}),
      bus_(dynamic_cast<tlm::tlm_fw_transport_if<>&>(*device_.registers.get_interface())),
      registers_("registers"),
      memory_("memory"),
      line_("line") {
    vnpu::sim::armFaults(options.faults, 0, options.config.clockKhz, faults_);
    memory_.register_b_transport(this, &vnpu_device::b_transport);
    memory_.register_transport_dbg(this, &vnpu_device::transport_dbg);
    memory_.register_get_direct_mem_ptr(this, &vnpu_device::get_direct_mem_ptr);
    registers_.bind(device_.registers);
    device_.memory.bind(memory_);
    device_.irq(line_);
    SC_METHOD(followLine);
    sensitive << line_;
    dont_initialize();
    payload_.set_data_length(sizeof(std::uint32_t));
    payload_.set_streaming_width(sizeof(std::uint32_t));
}

vnpu_device::~vnpu_device() = default;

bool vnpu_device::access(tlm::tlm_command command, std::uint64_t address, void* data,
                         std::uint32_t size) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(size);
    payload_.set_streaming_width(size);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bus_.b_transport(payload_, delay);
    return payload_.is_response_ok();
}

bool vnpu_device::read(std::uint32_t offset, std::uint32_t& value) {
    const bool isAnswered = access(tlm::TLM_READ_COMMAND, offset, &value, sizeof(value));
    if (!isAnswered) {
        value = 0xFFFFFFFF;
    }
    if (observer_ != nullptr) {
        observer_->registerRead(deviceTime(), offset, value, isAnswered);
    }
    return isAnswered;
}

bool vnpu_device::write(std::uint32_t offset, std::uint32_t value) {
    const bool isAnswered = access(tlm::TLM_WRITE_COMMAND, offset, &value, sizeof(value));
    if (observer_ != nullptr) {
        observer_->registerWritten(deviceTime(), offset, value, isAnswered);
    }
    return isAnswered;
}

void vnpu_device::reportMisaligned(std::uint32_t offset, bool isWrite, std::uint32_t value) {
    if (observer_ == nullptr) {
        return;
    }
    if (isWrite) {
        observer_->registerWritten(deviceTime(), offset, value, false);
    } else {
        observer_->registerRead(deviceTime(), offset, 0xFFFFFFFF, false);
    }
}

void vnpu_device::moveResident(bool isWrite, std::uint64_t offset, void* data, std::uint64_t size) {
    constexpr std::uint64_t kMostBytes = 1U << 30;  // chosen: a payload's length has 32 bits
    const auto command = isWrite ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
    for (std::uint64_t at = 0; at < size; at += kMostBytes) {
        access(command, hw::regs::kResidentBase + offset + at, static_cast<std::byte*>(data) + at,
               static_cast<std::uint32_t>(std::min(kMostBytes, size - at)));
    }
    if (isWrite && observer_ != nullptr) {
        observer_->residentWritten(deviceTime(), offset,
                                   std::span(static_cast<const std::byte*>(data), size));
    }
}

void vnpu_device::unmap(std::uint64_t address, std::uint64_t size) {
    // Before the elaboration nothing is mapped, and the socket is not connected.
    if (size != 0 && simcontext()->elaboration_done()) {
        memory_->invalidate_direct_mem_ptr(address, address + std::min(size - 1, ~address));
    }
}

void vnpu_device::powerCycle() {
    device_.powerCycle();
    if (observer_ != nullptr) {
        observer_->powerCycled(deviceTime());
    }
}

void vnpu_device::finishObserver() {
    if (observer_ != nullptr) {
        observer_->finish(deviceTime());
    }
}

std::string vnpu_device::stateText() const {
    return fmt::format("time: {} ps\ninterrupt line: {}\n{}", sc_core::sc_time_stamp().value(),
                       isLineHigh_ ? "high" : "low",
                       vnpu::sim::registerText([this](std::uint32_t offset, std::uint32_t& value) {
                           tlm::tlm_generic_payload payload;
                           payload.set_read();
                           payload.set_address(offset);
                           payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
                           payload.set_data_length(sizeof(value));
                           return bus_.transport_dbg(payload) == sizeof(value);
                       }));
}

void vnpu_device::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    const std::uint64_t address = payload.get_address();
    const std::span data(reinterpret_cast<std::byte*>(payload.get_data_ptr()),
                         payload.get_data_length());
    bool isAnswered = false;
    if (payload.is_read()) {
        isAnswered = host_.dma_read != nullptr &&
                     host_.dma_read(host_.user, address, data.data(), data.size()) == 0;
        if (observer_ != nullptr) {
            observer_->memoryRead(deviceTime(), address, data, isAnswered);
        }
    } else {
        isAnswered = host_.dma_write != nullptr &&
                     host_.dma_write(host_.user, address, data.data(), data.size()) == 0;
        if (observer_ != nullptr) {
            observer_->memoryWritten(deviceTime(), address, data, isAnswered);
        }
    }
    payload.set_response_status(isAnswered ? tlm::TLM_OK_RESPONSE
                                           : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

/// The device looks at its page tables for an observer. This is no access of its own.
unsigned vnpu_device::transport_dbg(tlm::tlm_generic_payload& payload) {
    const unsigned size = payload.get_data_length();
    const bool isAnswered =
            payload.is_read() && host_.dma_read != nullptr &&
            host_.dma_read(host_.user, payload.get_address(), payload.get_data_ptr(), size) == 0;
    return isAnswered ? size : 0;
}

bool vnpu_device::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
    // The observer sees each transfer, so that none may bypass the callbacks.
    if (host_.dma_map == nullptr || observer_ != nullptr) {
        return false;
    }
    const std::uint64_t address = payload.get_address();
    std::uint64_t size = 0;
    void* const data = host_.dma_map(host_.user, address, &size);
    if (data == nullptr || size == 0) {
        return false;
    }
    grant.init();
    grant.set_dmi_ptr(static_cast<unsigned char*>(data));
    grant.set_start_address(address);
    grant.set_end_address(address + std::min(size - 1, ~address));
    grant.allow_read_write();
    return true;
}

void vnpu_device::followLine() {
    isLineHigh_ = line_.read();
    if (observer_ != nullptr) {
        observer_->interruptLine(deviceTime(), isLineHigh_);
    }
    if (host_.irq != nullptr) {
        host_.irq(host_.user, isLineHigh_ ? 1 : 0);
    }
    if (isLineHigh_ && pausesAtInterrupt_) {
        sc_core::sc_pause();
    }
}

void vnpu_device::onFault(std::uint64_t cycle, hw::Engine engine, hw::JobStatus status,
                          std::string_view what) {
    if (host_.log != nullptr) {
        host_.log(host_.user, fmt::format("cycle {}: {}: {}: {}", cycle, hw::engineName(engine),
                                          hw::jobStatusName(status), what)
                                      .c_str());
    }
}

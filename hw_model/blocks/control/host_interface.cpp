// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/host_interface.h"

#include <cstdint>
#include <cstring>

#include "hw_model/blocks/control/device_registers.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/memory/resident_memory.h"

namespace vnpu::hw {

namespace {

tlm::tlm_response_status responseOf(RegisterError error) {
    switch (error) {
        case RegisterError::kNone:
            return tlm::TLM_OK_RESPONSE;
        case RegisterError::kAddress:
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        case RegisterError::kAccess:
            return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

void HostInterface::transport(tlm::tlm_generic_payload& payload) {
    parts_.work.finish();
    if (parts_.resident.holds(payload.get_address(), 1)) {
        parts_.resident.transport(payload);
        return;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (payload.get_data_length() != sizeof(std::uint32_t) ||
        payload.get_streaming_width() < sizeof(std::uint32_t)) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.get_address() >= regs::kWindowBytes) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    std::uint32_t value = 0;
    RegisterError error = RegisterError::kAccess;
    if (payload.is_read()) {
        error = parts_.registers.read(offset, false, value);
        if (error == RegisterError::kNone) {
            std::memcpy(payload.get_data_ptr(), &value, sizeof(value));
        }
    } else if (payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr(), sizeof(value));
        error = parts_.registers.write(offset, false, value);
    }
    payload.set_response_status(responseOf(error));
}

unsigned HostInterface::transportDebug(tlm::tlm_generic_payload& payload) {
    if (parts_.resident.holds(payload.get_address(), 1)) {
        return parts_.resident.transportDebug(payload);
    }
    if (!payload.is_read() || payload.get_data_length() != sizeof(std::uint32_t) ||
        payload.get_address() >= regs::kWindowBytes) {
        return 0;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    std::uint32_t value = 0;
    if (parts_.registers.peek(offset, value) != RegisterError::kNone) {
        return 0;
    }
    std::memcpy(payload.get_data_ptr(), &value, sizeof(value));
    return sizeof(value);
}

bool HostInterface::directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
    return parts_.resident.directMemory(payload, grant);
}

}  // namespace vnpu::hw

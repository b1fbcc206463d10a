// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/resident_memory.h"

#include <cstring>

namespace vnpu::hw {

bool ResidentMemory::holds(std::uint64_t busAddress, std::uint64_t count) const {
    const std::uint64_t offset = busAddress - kBase;
    return busAddress >= kBase && offset < bytes_.size() && count != 0 &&
           count <= bytes_.size() - offset;
}

void ResidentMemory::transport(tlm::tlm_generic_payload& payload) {
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (payload.get_streaming_width() < payload.get_data_length()) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else if (transportDebug(payload) == 0) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        payload.set_dmi_allowed(true);
    }
}

unsigned ResidentMemory::transportDebug(tlm::tlm_generic_payload& payload) {
    const unsigned count = payload.get_data_length();
    if (!holds(payload.get_address(), count)) {
        return 0;
    }
    std::byte* const at = bytes_.data() + (payload.get_address() - kBase);
    if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), at, count);
    } else if (payload.is_write()) {
        std::memcpy(at, payload.get_data_ptr(), count);
    }
    return count;
}

bool ResidentMemory::directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
    if (!holds(payload.get_address(), 1)) {
        return false;
    }
    grant.init();
    grant.set_dmi_ptr(reinterpret_cast<unsigned char*>(bytes_.data()));
    grant.set_start_address(kBase);
    grant.set_end_address(kBase + bytes_.size() - 1);
    grant.allow_read_write();
    return true;
}

}  // namespace vnpu::hw

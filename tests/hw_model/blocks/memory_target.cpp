// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/blocks/memory_target.h"

namespace vnpu::test {

MemoryTarget::MemoryTarget(const sc_core::sc_module_name& name, std::size_t bytes,
                           bool grantsPointers)
    : sc_module(name), socket("socket"), bytes_(bytes), grantsPointers_(grantsPointers) {
    socket.register_b_transport(this, &MemoryTarget::b_transport);
    socket.register_get_direct_mem_ptr(this, &MemoryTarget::get_direct_mem_ptr);
}

void MemoryTarget::withdrawPointers() {
    socket->invalidate_direct_mem_ptr(kBase, kBase + bytes_.size() - 1);
}

void MemoryTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    ++transports_;
    const std::uint64_t address = payload.get_address();
    if (address < kBase || address + payload.get_data_length() > kBase + bytes_.size()) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (payload.is_write()) {
        std::memcpy(at(address), payload.get_data_ptr(), payload.get_data_length());
    } else {
        std::memcpy(payload.get_data_ptr(), at(address), payload.get_data_length());
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool MemoryTarget::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
    const std::uint64_t address = payload.get_address();
    if (!grantsPointers_ || address < kBase || address >= kBase + bytes_.size()) {
        return false;
    }
    ++grants_;
    grant.set_dmi_ptr(reinterpret_cast<unsigned char*>(bytes_.data()));
    grant.set_start_address(kBase);
    grant.set_end_address(kBase + bytes_.size() - 1);
    grant.allow_read_write();
    return true;
}

}  // namespace vnpu::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

namespace vnpu::test {

/// System memory for tests: one range of bus addresses, with or without direct pointers.
class MemoryTarget : public sc_core::sc_module {
  public:
    static constexpr std::uint64_t kBase = 0x1'0000'0000ULL;

    MemoryTarget(const sc_core::sc_module_name& name, std::size_t bytes, bool grantsPointers);

    tlm_utils::simple_target_socket<MemoryTarget> socket;

    std::byte* at(std::uint64_t busAddress) { return &bytes_[busAddress - kBase]; }

    template <typename T>
    T load(std::uint64_t busAddress) {
        T value{};
        std::memcpy(&value, at(busAddress), sizeof(value));
        return value;
    }

    template <typename T>
    void store(std::uint64_t busAddress, const T& value) {
        std::memcpy(at(busAddress), &value, sizeof(value));
    }

    void setGrantsPointers(bool grants) { grantsPointers_ = grants; }

    unsigned transports() const { return transports_; }
    unsigned grants() const { return grants_; }

    /// Withdraws the direct pointers granted so far.
    void withdrawPointers();

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);

    std::vector<std::byte> bytes_;
    bool grantsPointers_;
    unsigned transports_ = 0;
    unsigned grants_ = 0;
};

}  // namespace vnpu::test

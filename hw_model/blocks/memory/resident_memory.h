// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// SRAM that keeps what lies in it between jobs. No command names it: a job reaches it through the
/// MMU as it reaches memory, the host by bus address, both in one window that the device answers
/// itself. Host accesses take no simulated time, as those to system memory. It has a bank and a
/// port of its own; the load on that port is kept by Sram. Survives a reset; zeroes at power-on.
/// Its bytes are real in timing-only mode, too, for the host's sake. Not modelled: ECC.
/// Simulation thread; what directMemory() grants, any.
class ResidentMemory {
  public:
    static constexpr std::uint64_t kBase = regs::kResidentBase;

    explicit ResidentMemory(const SramConfig& config)
        : bytes_(std::size_t{config.residentKib} * 1024) {}

    /// Whether all of a range of bus addresses lies in the window. An empty one lies nowhere.
    bool holds(std::uint64_t busAddress, std::uint64_t count) const;

    std::uint64_t sizeBytes() const { return bytes_.size(); }
    std::byte* data() { return bytes_.data(); }

    /// Accesses of any length from the host's bus. Address error response where they leave the
    /// window.
    void transport(tlm::tlm_generic_payload& payload);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    bool directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// SRAM whose content persists between jobs. Commands cannot name it: a job reaches it through the
/// MMU like system memory, the host by bus address, both through one window that the device itself
/// serves. Host accesses take no simulated time, like those to system memory. It has its own bank
/// and port; Sram accounts for the load on that port. The content survives a reset and is zero at
/// power-on. Its bytes exist in timing-only mode, too, because the host uses them. Not modeled:
/// ECC. Simulation thread; pointers from directMemory(): any thread.
class ResidentMemory {
  public:
    static constexpr std::uint64_t kBase = regs::kResidentBase;

    explicit ResidentMemory(const SramConfig& config)
        : bytes_(std::size_t{config.residentKib} * 1024) {}

    /// Whether a range of bus addresses lies entirely in the window; false for an empty range.
    bool holds(std::uint64_t busAddress, std::uint64_t count) const;

    std::uint64_t sizeBytes() const { return bytes_.size(); }
    std::byte* data() { return bytes_.data(); }

    /// Serves accesses of any length from the host's bus; address error response if they leave the
    /// window.
    void transport(tlm::tlm_generic_payload& payload);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    bool directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace vnpu::hw

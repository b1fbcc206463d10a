// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/core/scheduling/job.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Whether [address, address + sizeBytes) is not empty and lies in the device's virtual address
/// space.
bool isVirtualRange(std::uint64_t address, std::uint64_t sizeBytes);

/// The regions of the running job, in local memory for the engines and as limits for the
/// validator.
class RegionTable {
  public:
    explicit RegionTable(hw::ControllerPort& port) : port_(port) {}

    /// Reads the sizes of the device; once per boot.
    void readDeviceLimits();

    /// Reads and checks the job's table, and writes it to local memory.
    hw::JobStatus load(const Job& job);

    const hw::ValidationLimits& limits() const { return limits_; }

    /// Virtual address of a validated reference to a region.
    std::uint64_t addressOf(const hw::MemoryRef& reference) const {
        return addresses_[reference.space] + reference.offset;
    }

  private:
    hw::ControllerPort& port_;
    hw::ValidationLimits limits_;
    std::array<std::uint64_t, hw::kMaxRegions> addresses_{};
    std::array<std::uint64_t, hw::kMaxRegions> bytes_{};
    std::array<std::uint8_t, hw::kMaxRegions> isWritable_{};
};

}  // namespace vnpu::fw

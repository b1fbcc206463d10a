// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "firmware/api/mailbox.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

/// The MMU contexts that the driver created.
class ContextTable {
  public:
    explicit ContextTable(hw::ControllerPort& port) : port_(port) {}

    bool exists(std::uint32_t context) const {
        return context < hw::regs::kContextCount && exists_[context];
    }

    /// kBadContext for an index out of range or in use, kBadAddress for a root table that cannot be
    /// read.
    MessageStatus create(std::uint32_t context, std::uint64_t rootAddress);

    /// kBadContext for one that does not exist. The caller ensures that no ring uses it.
    MessageStatus destroy(std::uint32_t context);

    /// Writes all roots again after a power-down; returns their number.
    std::uint32_t restore();

    /// Drops the context's TLB entries; kBadContext for one that does not exist.
    MessageStatus invalidate(std::uint32_t context);

  private:
    void setRoot(std::uint32_t context, std::uint64_t address);

    hw::ControllerPort& port_;
    std::bitset<hw::regs::kContextCount> exists_;
    std::array<std::uint64_t, hw::regs::kContextCount> roots_{};  // of those
};

}  // namespace vnpu::fw

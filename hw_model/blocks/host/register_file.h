// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw_model/regs/engines.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

enum class RegisterError : std::uint8_t {
    kNone,
    kAddress,  // no such register, misaligned, or the controller's own
    kAccess,   // exists, but not for this direction
};

/// Decoding, access rights and values of plain registers (those not implemented by another block):
/// identity, configuration, stored words. Simulation thread.
class RegisterFile {
  public:
    explicit RegisterFile(const NpuConfig& config);

    /// Looks up the register at an offset and checks the access; `hit` is valid only if the result
    /// is kNone.
    RegisterError decode(std::uint32_t offset, bool isWrite, bool isController,
                         regs::RegisterHit& hit) const {
        if (offset >= regs::kWindowBytes || offset % 4 != 0) {
            return RegisterError::kAddress;
        }
        hit = decoded_[offset / 4];
        if (hit.spec == nullptr || (offset >= regs::kControllerOnlyBase && !isController)) {
            return RegisterError::kAddress;
        }
        const regs::Access forbidden = isWrite ? regs::Access::kReadOnly : regs::Access::kWriteOnly;
        return hit.spec->access == forbidden ? RegisterError::kAccess : RegisterError::kNone;
    }

    std::uint32_t value(std::uint32_t offset) const { return values_[offset / 4]; }
    void setValue(std::uint32_t offset, std::uint32_t value) { values_[offset / 4] = value; }

    /// Restores the reset values, except of identity and configuration.
    void reset();

  private:
    void restore(std::uint32_t offset);
    void fillConfiguration(const NpuConfig& config);
    /// Writes a number into its field, if that has any bits.
    void show(const regs::FieldSpec& place, std::uint32_t number);

    std::vector<regs::RegisterHit> decoded_;  // by word
    std::vector<std::uint32_t> values_;       // by word
};

}  // namespace vnpu::hw

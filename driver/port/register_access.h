// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/port/device_port.h"
#include "hw_model/regs/check.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::driver {

/// Reads a declared register; device time passes, so no lock may be held.
template <typename Register>
std::uint32_t readRegister(DevicePort& port, std::uint32_t index = 0) {
    static_assert(Register::kSpec.access != hw::regs::Access::kWriteOnly);
    VNPU_CHECK(index < Register::kSpec.count, "register index within its array");
    return port.read32(Register::kSpec.at(index));
}

/// Writes a declared register; the write is posted.
template <typename Register>
void writeRegister(DevicePort& port, std::uint32_t value, std::uint32_t index = 0) {
    static_assert(Register::kSpec.access != hw::regs::Access::kReadOnly);
    VNPU_CHECK(index < Register::kSpec.count, "register index within its array");
    port.write32(Register::kSpec.at(index), value);
}

}  // namespace vnpu::driver

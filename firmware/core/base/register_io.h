// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/regs/controller_port.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

namespace regs = hw::regs;

/// Reads register `Register` (element `index` of a group).
template <typename Register>
std::uint32_t readRegister(hw::ControllerPort& port, std::uint32_t index = 0) {
    return port.read32(Register::kSpec.at(index));
}

/// Writes register `Register` (element `index` of a group).
template <typename Register>
void writeRegister(hw::ControllerPort& port, std::uint32_t value, std::uint32_t index = 0) {
    port.write32(Register::kSpec.at(index), value);
}

/// The device cycle counter; the read of the low word latches the high one.
inline std::uint64_t readCycles(hw::ControllerPort& port) {
    const std::uint64_t low = readRegister<regs::CycleCounterLo>(port);
    return low | (std::uint64_t{readRegister<regs::CycleCounterHi>(port)} << 32);
}

/// Reads one value of a wire struct.
template <typename Value>
hw::JobStatus readValue(hw::ControllerPort& port, std::uint32_t context, std::uint64_t address,
                        Value& value) {
    return port.readMemory(context, address, std::as_writable_bytes(std::span(&value, 1)));
}

/// Writes one value of a wire struct.
template <typename Value>
hw::JobStatus writeValue(hw::ControllerPort& port, std::uint32_t context, std::uint64_t address,
                         const Value& value) {
    return port.writeMemory(context, address, std::as_bytes(std::span(&value, 1)));
}

}  // namespace vnpu::fw

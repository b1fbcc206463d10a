// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hw_model/regs/registers.h"

namespace vnpu::hw::regs {

/// Every register of registers.def, by ascending offset.
inline constexpr const RegisterSpec* kRegisterMap[] = {
#define VNPU_FIELD(...)
#define VNPU_REGISTERS(type, ...) &type::kSpec,
#include "hw_model/regs/registers.def"
};

inline std::span<const RegisterSpec* const> registerMap() {
    return kRegisterMap;
}

/// The register that an offset belongs to.
struct RegisterHit {
    const RegisterSpec* spec = nullptr;
    std::uint32_t index = 0;   // of the element in a register array
    std::uint32_t number = 0;  // of the row in registerMap()
};

/// Looks up the register at a byte offset; `spec` is null if there is none or the offset is
/// misaligned.
RegisterHit findRegister(std::uint32_t offset);

/// The register map as a Markdown table, with fields.
void printRegisterMap(std::string& out);

}  // namespace vnpu::hw::regs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hw_model/regs/registers.h"

namespace vnpu::hw::regs {

/// Every register of registers.def, by rising offset.
inline constexpr const RegisterSpec* kRegisterMap[] = {
#define VNPU_FIELD(...)
#define VNPU_REGISTERS(type, ...) &type::kSpec,
#include "hw_model/regs/registers.def"
};

inline std::span<const RegisterSpec* const> registerMap() {
    return kRegisterMap;
}

/// Where an offset lies in the map.
struct RegisterHit {
    const RegisterSpec* spec = nullptr;
    std::uint32_t index = 0;   // of several equal registers, from 0
    std::uint32_t number = 0;  // of the row in registerMap()
};

/// The register at a byte offset; `spec` is null where there is none, or the offset is misaligned.
RegisterHit findRegister(std::uint32_t offset);

/// The register map as a Markdown table, with fields.
void printRegisterMap(std::string& out);

}  // namespace vnpu::hw::regs

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The structures in which registers are declared.

#include <cstdint>
#include <span>
#include <string_view>

namespace vnpu::hw::regs {

enum class Access : std::uint8_t { kReadOnly, kReadWrite, kWriteOnly, kWriteOneToClear };

struct FieldSpec {
    std::string_view name;
    std::uint32_t lsb;
    std::uint32_t width;
    std::string_view meaning;
    std::uint32_t offset = 0;  // of its register, the first of an array

    constexpr std::uint32_t mask() const {
        return (width >= 32 ? 0xFFFFFFFFU : ((1U << width) - 1U)) << lsb;
    }
    constexpr std::uint32_t get(std::uint32_t value) const { return (value & mask()) >> lsb; }
    constexpr std::uint32_t put(std::uint32_t field) const { return (field << lsb) & mask(); }
};

/// A register, or an array of `count` registers `strideBytes` apart.
struct RegisterSpec {
    std::string_view name;
    std::uint32_t offset;
    Access access;
    std::uint32_t reset;
    std::string_view meaning;
    std::span<const FieldSpec> fields = {};
    std::uint32_t count = 1;
    std::uint32_t strideBytes = 4;

    constexpr std::uint32_t at(std::uint32_t index) const { return offset + index * strideBytes; }

    /// All bits as one field.
    constexpr FieldSpec whole() const { return {name, 0, 32, meaning, offset}; }
};

}  // namespace vnpu::hw::regs

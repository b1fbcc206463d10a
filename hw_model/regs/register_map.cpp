// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/register_map.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <iterator>

namespace vnpu::hw::regs {
namespace {

constexpr std::size_t kWords = kWindowBytes / 4;
constexpr std::uint8_t kNoRegister = 0xFF;
static_assert(std::size(kRegisterMap) < kNoRegister,
              "the lookup table holds register numbers in a byte");

/// For each word of the window, its register and its index within a register array.
struct Lookup {
    std::array<std::uint8_t, kWords> number{};
    std::array<std::uint8_t, kWords> index{};

    Lookup() {
        number.fill(kNoRegister);
        for (std::size_t i = 0; i < std::size(kRegisterMap); ++i) {
            for (std::uint32_t n = 0; n < kRegisterMap[i]->count; ++n) {
                number[kRegisterMap[i]->at(n) / 4] = static_cast<std::uint8_t>(i);
                index[kRegisterMap[i]->at(n) / 4] = static_cast<std::uint8_t>(n);
            }
        }
    }
};

const char* accessName(Access access) {
    switch (access) {
        case Access::kReadOnly:
            return "RO";
        case Access::kReadWrite:
            return "RW";
        case Access::kWriteOnly:
            return "WO";
        case Access::kWriteOneToClear:
            return "W1C";
    }
    return "?";
}

void printRegister(std::string& out, const RegisterSpec& spec) {
    auto to = std::back_inserter(out);
    if (spec.count == 1) {
        fmt::format_to(to, "| 0x{:04X} | {} |", spec.offset, spec.name);
    } else {
        fmt::format_to(to, "| 0x{:04X} + {}n | {}[0..{}] |", spec.offset, spec.strideBytes,
                       spec.name, spec.count - 1);
    }
    fmt::format_to(to, " | {} | 0x{:08X} | {} |\n", accessName(spec.access), spec.reset,
                   spec.meaning);
    for (const FieldSpec& field : spec.fields) {
        fmt::format_to(to, "| | {} | ", field.name);
        if (field.width == 1) {
            fmt::format_to(to, "{}", field.lsb);
        } else {
            fmt::format_to(to, "{}:{}", field.lsb + field.width - 1, field.lsb);
        }
        fmt::format_to(to, " | | 0x{:X} | {} |\n", field.get(spec.reset), field.meaning);
    }
}

}  // namespace

RegisterHit findRegister(std::uint32_t offset) {
    static const Lookup kLookup;
    if (offset >= kWindowBytes || offset % 4 != 0) {
        return {};
    }
    const std::uint8_t number = kLookup.number[offset / 4];
    if (number == kNoRegister) {
        return {};
    }
    return {kRegisterMap[number], kLookup.index[offset / 4], number};
}

void printRegisterMap(std::string& out) {
    out += "| offset | register or field | bits | access | reset | meaning |\n";
    out += "| --- | --- | --- | --- | --- | --- |\n";
    for (const RegisterSpec* spec : kRegisterMap) {
        printRegister(out, *spec);
    }
}

}  // namespace vnpu::hw::regs

// SPDX-License-Identifier: Apache-2.0
#include "sim/device/state_text.h"

#include <fmt/format.h>

#include <iterator>

#include "hw_model/regs/register_map.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

std::string registerText(const PeekRegister& peek) {
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    for (const hw::regs::RegisterSpec* spec : hw::regs::registerMap()) {
        for (std::uint32_t index = 0; index < spec->count; ++index) {
            std::uint32_t value = 0;
            if (!peek(spec->at(index), value) || (spec->count > 1 && value == 0)) {
                continue;
            }
            fmt::format_to(out, "0x{:04x} {} 0x{:08x}", spec->at(index),
                           registerName(spec->at(index)), value);
            for (const hw::regs::FieldSpec& field : spec->fields) {
                fmt::format_to(out, " {}={}", field.name, field.get(value));
            }
            text.push_back('\n');
        }
    }
    return fmt::to_string(text);
}

}  // namespace vnpu::sim

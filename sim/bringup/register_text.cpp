// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/register_text.h"

#include <fmt/format.h>

#include "hw_model/regs/register_map.h"

namespace vnpu::sim {

std::string registerName(std::uint32_t offset) {
    const hw::regs::RegisterHit hit = hw::regs::findRegister(offset);
    if (hit.spec == nullptr) {
        return fmt::format("offset {:#06x}", offset);
    }
    return hit.spec->count == 1 ? std::string(hit.spec->name)
                                : fmt::format("{}[{}]", hit.spec->name, hit.index);
}

std::string fieldsText(std::uint32_t offset, std::uint32_t value) {
    const hw::regs::RegisterHit hit = hw::regs::findRegister(offset);
    std::string text;
    if (hit.spec == nullptr) {
        return text;
    }
    for (const hw::regs::FieldSpec& field : hit.spec->fields) {
        const std::uint32_t part = field.get(value);
        if (part == 0) {
            continue;
        }
        text += text.empty() ? "" : " ";
        text += field.width == 1 ? std::string(field.name) : fmt::format("{}={}", field.name, part);
    }
    return text;
}

std::string timeText(std::uint64_t time) {
    constexpr std::uint64_t kPerMicrosecond = 1'000'000;
    return fmt::format("{}.{:06} us", time / kPerMicrosecond, time % kPerMicrosecond);
}

}  // namespace vnpu::sim

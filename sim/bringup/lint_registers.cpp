// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/lint_registers.h"

#include <fmt/format.h>

#include "hw_model/regs/register_map.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

namespace {

namespace regs = hw::regs;

constexpr std::uint64_t kMostPolls = 1000;  // chosen: far more than a wait for a slow step needs

std::uint32_t reservedBits(const regs::RegisterSpec& spec) {
    const auto fields = &spec == &regs::IrqMask::kSpec ? regs::IrqStatus::kFields : spec.fields;
    std::uint32_t known = fields.empty() ? ~0U : 0U;
    for (const regs::FieldSpec& field : fields) {
        known |= field.mask();
    }
    return ~known;
}

}  // namespace

bool LintRegisters::check(std::uint64_t time, std::uint32_t offset, bool isWrite) {
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (offset % 4 != 0) {
        report_.mistake(time, LintRule::kMisalignedAccess, registerName(offset & ~3U),
                        fmt::format("offset {:#06x}", offset));
    } else if (hit.spec == nullptr) {
        report_.mistake(time, LintRule::kUndefinedRegister, registerName(offset));
    } else if (offset >= regs::kControllerOnlyBase) {
        report_.mistake(time, LintRule::kControllerRegister, registerName(offset));
    } else if (isWrite && hit.spec->access == regs::Access::kReadOnly) {
        report_.mistake(time, LintRule::kReadOnlyWritten, registerName(offset));
    } else if (!isWrite && hit.spec->access == regs::Access::kWriteOnly) {
        report_.mistake(time, LintRule::kWriteOnlyRead, registerName(offset));
    } else {
        return true;
    }
    return false;
}

void LintRegisters::read(std::uint64_t time, std::uint32_t offset, std::uint32_t value) {
    if (check(time, offset, false)) {
        checkLatch(time, offset);
        checkPolling(time, offset, value);
    }
}

void LintRegisters::written(std::uint64_t time, std::uint32_t offset, std::uint32_t value) {
    polls_ = 0;
    if (!check(time, offset, true)) {
        return;
    }
    const regs::RegisterSpec& spec = *regs::findRegister(offset).spec;
    const std::uint32_t reserved = value & reservedBits(spec);
    // All ones is a usual way to clear everything.
    if (reserved != 0 && spec.access != regs::Access::kWriteOneToClear) {
        report_.mistake(time, LintRule::kReservedBits, registerName(offset),
                        fmt::format("value {:#010x}, reserved {:#010x}", value, reserved));
    }
}

void LintRegisters::checkLatch(std::uint64_t time, std::uint32_t offset) {
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (hit.spec == &regs::CycleCounterLo::kSpec) {
        latched_.insert(regs::CycleCounterHi::kSpec.offset);
    } else if (hit.spec == &regs::PerfCounter::kSpec) {
        latched_.insert(regs::PerfCounterHi::kSpec.at(hit.index));
    } else if ((hit.spec == &regs::CycleCounterHi::kSpec ||
                hit.spec == &regs::PerfCounterHi::kSpec) &&
               latched_.erase(offset) == 0) {
        report_.mistake(time, LintRule::kUnlatchedHighWord, registerName(offset));
    }
}

void LintRegisters::checkPolling(std::uint64_t time, std::uint32_t offset, std::uint32_t value) {
    if (polls_ == 0 || offset != polledOffset_ || value != polledValue_) {
        polledOffset_ = offset;
        polledValue_ = value;
        polls_ = 0;
        firstPoll_ = time;
    }
    if (++polls_ != kMostPolls) {
        return;
    }
    const std::string fields = fieldsText(offset, value);
    report_.mistake(time, LintRule::kEndlessPolling, registerName(offset),
                    fmt::format("{} reads of {:#010x}{} in {}", polls_, value,
                                fields.empty() ? "" : " " + fields,
                                time == firstPoll_ ? "no time, let time pass"
                                                   : timeText(time - firstPoll_)));
}

}  // namespace vnpu::sim

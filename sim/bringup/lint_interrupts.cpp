// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/lint_interrupts.h"

#include <fmt/format.h>

#include "hw_model/regs/registers.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

namespace {

using hw::regs::IrqMask;
using hw::regs::IrqStatus;

}  // namespace

void LintInterrupts::statusRead(std::uint32_t value) {
    seen_ |= value;
    isRead_ = true;
}

void LintInterrupts::statusWritten(std::uint64_t time, std::uint32_t value) {
    const std::uint32_t unseen = value & ~seen_;
    if (mask_ != 0 && unseen != 0) {
        report_.mistake(time, LintRule::kInterruptClearedUnseen,
                        registerName(IrqStatus::kSpec.offset),
                        fieldsText(IrqStatus::kSpec.offset, unseen));
    }
    seen_ &= ~value;
}

void LintInterrupts::lineChanged(std::uint64_t time, bool isHigh) {
    isHigh_ = isHigh;
    isRead_ = false;
    isReported_ = false;
    since_ = time;
}

void LintInterrupts::reset() {
    mask_ = 0;
    seen_ = 0;
}

void LintInterrupts::reportHighLine(std::uint64_t time) {
    isReported_ = true;
    const std::string detail = fmt::format("high for {}", timeText(time - since_));
    if (isRead_) {
        report_.mistake(time, LintRule::kInterruptNotAcknowledged,
                        registerName(IrqStatus::kSpec.offset), detail);
    } else {
        report_.mistake(time, LintRule::kInterruptWithoutHandler,
                        registerName(IrqMask::kSpec.offset), detail);
    }
}

}  // namespace vnpu::sim

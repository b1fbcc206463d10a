// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/lint.h"

#include <fmt/format.h>

#include "hw_model/regs/registers.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

void Lint::registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                        bool isAnswered) {
    ++accesses_;
    interrupts_.check(time);
    registers_.read(time, offset, value);
    if (!isAnswered) {
        return;
    }
    if (offset == hw::regs::IrqStatus::kSpec.offset) {
        interrupts_.statusRead(value);
    }
    protocol_->read(time, offset, value);
}

void Lint::registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                           bool isAnswered) {
    ++accesses_;
    interrupts_.check(time);
    registers_.written(time, offset, value);
    if (!isAnswered) {
        return;
    }
    if (offset == hw::regs::IrqStatus::kSpec.offset) {
        interrupts_.statusWritten(time, value);
    } else if (offset == hw::regs::IrqMask::kSpec.offset) {
        interrupts_.maskWritten(value);
    }
    const bool wasInReset = protocol_->isInReset();
    protocol_->written(time, offset, value);
    if (!wasInReset && protocol_->isInReset()) {
        forget();
    }
}

/// After a reset.
void Lint::forget() {
    interrupts_.reset();
    protocol_.emplace(report_);
}

void Lint::powerCycled(std::uint64_t /*time*/) {
    forget();
}

void Lint::memoryRead(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                      bool isAnswered) {
    if (isAnswered) {
        protocol_->memoryRead(time, address, data);
    } else {
        protocol_->busError(time, address, data.size(), false);
    }
}

void Lint::memoryWritten(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                         bool isAnswered) {
    if (!isAnswered) {
        protocol_->busError(time, address, data.size(), true);
    }
}

void Lint::interruptLine(std::uint64_t time, bool isHigh) {
    interrupts_.check(time);
    interrupts_.lineChanged(time, isHigh);
}

void Lint::staleTranslation(std::uint64_t time, std::uint32_t context,
                            std::uint64_t virtualAddress) {
    report_.mistake(time, LintRule::kStaleTlb, registerName(hw::regs::MmuInvalidate::kSpec.offset),
                    fmt::format("context {}, address {:#x}", context, virtualAddress));
}

void Lint::finish(std::uint64_t time) {
    interrupts_.check(time);
    report_.printSummary(accesses_);
}

}  // namespace vnpu::sim

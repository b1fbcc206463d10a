// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "sim/bringup/bus_observer.h"
#include "sim/bringup/lint_interrupts.h"
#include "sim/bringup/lint_protocol.h"
#include "sim/bringup/lint_registers.h"
#include "sim/bringup/lint_report.h"

namespace vnpu::sim {

/// Finds mistakes of a host's software in what passes on the bus (lint_rules.def) and reports each
/// by the name of the register and the rule. A driver without mistakes gets only the summary.
class Lint : public BusObserver {
  public:
    explicit Lint(LintReport::Sink sink) : report_(std::move(sink)) {}

    void registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                      bool isAnswered) override;
    void registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                         bool isAnswered) override;
    void memoryRead(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                    bool isAnswered) override;
    void memoryWritten(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                       bool isAnswered) override;
    void interruptLine(std::uint64_t time, bool isHigh) override;
    void powerCycled(std::uint64_t time) override;
    bool checksTranslations() const override { return true; }
    void staleTranslation(std::uint64_t time, std::uint32_t context,
                          std::uint64_t virtualAddress) override;
    /// Reports what was never done, and the summary.
    void finish(std::uint64_t time) override;

    std::uint64_t mistakes() const { return report_.count(); }

  private:
    void forget();

    LintReport report_;
    LintRegisters registers_{report_};
    LintInterrupts interrupts_{report_};
    std::optional<LintProtocol> protocol_{report_};
    std::uint64_t accesses_ = 0;
};

}  // namespace vnpu::sim

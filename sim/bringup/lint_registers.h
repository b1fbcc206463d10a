// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "sim/bringup/lint_report.h"

namespace vnpu::sim {

/// The rules that concern single registers: offsets, rights, reserved bits, latches, polling.
class LintRegisters {
  public:
    explicit LintRegisters(LintReport& report) : report_(report) {}

    void read(std::uint64_t time, std::uint32_t offset, std::uint32_t value);
    void written(std::uint64_t time, std::uint32_t offset, std::uint32_t value);

  private:
    /// Whether the host may access the register in this direction.
    bool check(std::uint64_t time, std::uint32_t offset, bool isWrite);
    void checkLatch(std::uint64_t time, std::uint32_t offset);
    void checkPolling(std::uint64_t time, std::uint32_t offset, std::uint32_t value);

    LintReport& report_;
    std::set<std::uint32_t> latched_;  // offsets of high words whose low words were read
    std::uint32_t polledOffset_ = 0;
    std::uint32_t polledValue_ = 0;
    std::uint64_t polls_ = 0;
    std::uint64_t firstPoll_ = 0;  // its time
};

}  // namespace vnpu::sim

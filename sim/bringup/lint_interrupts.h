// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/bringup/lint_report.h"

namespace vnpu::sim {

/// The rules about IRQ_STATUS, IRQ_MASK and the line.
class LintInterrupts {
  public:
    explicit LintInterrupts(LintReport& report) : report_(report) {}

    void statusRead(std::uint32_t value);
    void statusWritten(std::uint64_t time, std::uint32_t value);
    void maskWritten(std::uint32_t value) { mask_ = value; }
    void lineChanged(std::uint64_t time, bool isHigh);
    void reset();

    /// Reports a line that has been high for too long; to be called at every event.
    void check(std::uint64_t time) {
        if (isHigh_ && !isReported_ && time - since_ > kLongest) {
            reportHighLine(time);
        }
    }

  private:
    static constexpr std::uint64_t kLongest = 1'000'000'000;  // chosen: 1 ms

    void reportHighLine(std::uint64_t time);

    LintReport& report_;
    std::uint32_t mask_ = 0;
    std::uint32_t seen_ = 0;  // bits that were read as 1 and not cleared since
    bool isHigh_ = false;
    bool isRead_ = false;      // IRQ_STATUS, since the line rose
    bool isReported_ = false;  // since then, too
    std::uint64_t since_ = 0;
};

}  // namespace vnpu::sim

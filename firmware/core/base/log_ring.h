// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/boot.h"
#include "firmware/api/log.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Writes the firmware's log to the memory that the driver provided at boot; does nothing without
/// it.
class LogRing {
  public:
    explicit LogRing(hw::ControllerPort& port) : port_(port) {}

    /// Starts an empty log; false if size or address violate BootParameters or cannot be written.
    bool start(const BootParameters& parameters);

    /// Appends a record. A bus error is ignored: there is no place left to report it.
    void add(LogEvent event, std::uint32_t a, std::uint64_t b = 0);

  private:
    hw::ControllerPort& port_;
    std::uint64_t address_ = 0;
    std::uint32_t recordCount_ = 0;  // 0: no log
    std::uint64_t written_ = 0;
};

}  // namespace vnpu::fw

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "driver/api/device.h"

namespace vnpu::sim {

/// Keeps the driver's messages about refusals and failures for the user. Thread of the driver.
class DriverLog : public driver::DriverObserver {
  public:
    void onLog(std::chrono::nanoseconds /*now*/, std::string_view line) override {
        constexpr std::size_t kMostLines = 1000;  // chosen: a runaway driver must not fill memory
        if (lines_.size() == kMostLines) {
            lines_.erase(lines_.begin());
        }
        lines_.emplace_back(line);
    }

    const std::vector<std::string>& lines() const { return lines_; }
    void clear() { lines_.clear(); }
    /// The last line, or empty.
    std::string lastLine() const { return lines_.empty() ? "" : lines_.back(); }

  private:
    std::vector<std::string> lines_;
};

}  // namespace vnpu::sim

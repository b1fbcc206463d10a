// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string_view>

#include "driver/api/device.h"

namespace vnpu::sim {

/// Prints on stderr what the driver refuses and why. Any thread.
class ErrorLog : public driver::DriverObserver {
  public:
    void onLog(std::chrono::nanoseconds now, std::string_view line) override {
        fmt::print(stderr, "vnpu: {:.3f} ms: {}\n", static_cast<double>(now.count()) * 1e-6, line);
    }
};

}  // namespace vnpu::sim

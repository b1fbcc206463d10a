// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

#include "sim/trace/events.h"

namespace vnpu::sim {

/// Prints on stderr which calls the driver refuses and why.
class ErrorLog : public EventSink {
  public:
    void onLog(std::uint64_t timeNs, std::string_view line) override {
        fmt::print(stderr, "vnpu: {:.3f} ms: {}\n", static_cast<double>(timeNs) * 1e-6, line);
    }
};

}  // namespace vnpu::sim

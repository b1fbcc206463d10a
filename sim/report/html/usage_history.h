// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "hw_model/regs/engines.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

/// The engines' work over a whole run, in windows of equal length from power-on. When the run
/// outgrows `maxWindows`, the length doubles and neighbors are joined, so memory does not grow with
/// the run. The work of a command is spread evenly over its time, as in CounterWindows.
class UsageHistory {
  public:
    struct Window {
        std::array<double, hw::kEngineCount> busyCycles{};  // of each engine's own work
        double macOperations = 0.0;
        double dramBytes = 0.0;

        Window& operator+=(const Window& more);
    };

    /// chosen: a window a pixel of a wide screen; two steps of 500 ns are the shortest commands
    explicit UsageHistory(std::size_t maxWindows = 2048, std::uint64_t lengthNs = 1000)
        : maxWindows_(maxWindows), lengthNs_(lengthNs) {}

    void add(const EngineEvent& event);

    std::uint64_t lengthNs() const { return lengthNs_; }
    const std::vector<Window>& windows() const { return windows_; }

    /// {"window_ns", "busy_cycles": a packed column per engine, "mac_operations", "dram_bytes"}
    nlohmann::ordered_json json() const;

  private:
    void makeRoom(std::uint64_t endNs);

    std::size_t maxWindows_;
    std::uint64_t lengthNs_;
    std::vector<Window> windows_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "sim/sweep/run_sweep.h"

namespace vnpu::sim {

/// "45 s", "3 min 20 s", "2 h 5 min".
std::string roughTime(std::chrono::duration<double> time);

/// The progress of a sweep with the time that is left:
/// "points [=====>              ] 12 of 48, 1 failed, about 3 min 20 s left". The time rests on
/// the mean rate since the first call for points, or for isolated times. One thread.
class SweepProgressText {
  public:
    std::string text(const SweepProgress& progress, std::chrono::steady_clock::time_point now);

  private:
    struct Begin {
        bool isMeasuringAlone = false;
        std::chrono::steady_clock::time_point time{};
        std::size_t done = 0;
    };
    std::optional<Begin> begin_;
};

}  // namespace vnpu::sim

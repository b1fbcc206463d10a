// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::driver {

/// Tells whether the firmware has done anything between two looks.
class HeartbeatWatch {
  public:
    /// True if not. `epoch` changes with every reset, after which the count begins anew.
    bool standsStill(std::uint32_t beat, std::uint32_t epoch) {
        const bool isSame = isSeen_ && beat == beat_ && epoch == epoch_;
        isSeen_ = true;
        beat_ = beat;
        epoch_ = epoch;
        return isSame;
    }

  private:
    bool isSeen_ = false;
    std::uint32_t beat_ = 0;
    std::uint32_t epoch_ = 0;
};

}  // namespace vnpu::driver

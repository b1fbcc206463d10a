// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "hw_model/regs/engines.h"

namespace vnpu::driver {

/// Estimates how the DMA's channels and the controller share the DRAM: those that want bytes take
/// turns, a chunk each. Users come in the order of a stream, which is roughly that of their starts;
/// a later one delays those that have not ended.
class DramShare {
  public:
    static constexpr std::size_t kController = hw::engineIndex(hw::Engine::kController);
    // chosen: as all shipped configurations have it, dma.chunk_bytes
    static constexpr double kChunkBytes = 4096;

    explicit DramShare(double bytesPerCycle) : bytesPerCycle_(bytesPerCycle) {}

    /// When a user has its `bytes` that asks for them from `start` on, in cycles, and asks for
    /// nothing in `pauses` cycles meanwhile. Users are engineIndex() of a channel, or kController.
    double take(std::size_t user, double start, double bytes, double pauses = 0);

    /// When the user has what it asked for last; later ones may have delayed it.
    double endOf(std::size_t user) const { return users_[user].end; }

    /// When all have what they asked for, at the earliest.
    double busyUntil() const { return free_; }

  private:
    struct User {
        double end = 0;
        double turn = 0;  // that it takes when others wait
    };

    double bytesPerCycle_;
    double free_ = 0;
    std::array<User, hw::kEngineCount> users_;
};

}  // namespace vnpu::driver

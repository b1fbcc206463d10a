// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "hw_model/regs/engines.h"

namespace vnpu::sim {

/// An engine reports a command at its end, so the events of a past time are complete only once
/// every command that could reach back to it has ended. This class computes that time. A command is
/// in progress from its push to its record, and its first event (waiting for tokens) is not before
/// its push nor before the start of the previous command on the same engine. Simulation thread.
class CommandFrontier {
  public:
    /// The number of commands in an engine's queue changed; an increase is a push.
    void onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) {
        Lane& lane = lanes_[hw::engineIndex(engine)];
        for (std::uint32_t i = lane.depth; i < commands; ++i) {
            lane.pushes.push_back(timeNs);
        }
        lane.depth = commands;
    }

    /// The oldest command in progress on `engine` ended.
    void onCommandEnd(hw::Engine engine, std::uint64_t startNs) {
        Lane& lane = lanes_[hw::engineIndex(engine)];
        lane.lastStartNs = std::max(lane.lastStartNs, startNs);
        if (!lane.pushes.empty()) {
            lane.pushes.pop_front();
        }
    }

    /// A job starts or ends: no command is in progress (dropped commands have no record).
    void onJobBoundary() {
        for (Lane& lane : lanes_) {
            lane.pushes.clear();
            lane.depth = 0;
        }
    }

    /// No further event will be before this time.
    std::uint64_t completeBefore(std::uint64_t nowNs) const {
        std::uint64_t timeNs = nowNs;
        for (const Lane& lane : lanes_) {
            if (!lane.pushes.empty()) {
                timeNs = std::min(timeNs, std::max(lane.pushes.front(), lane.lastStartNs));
            }
        }
        return timeNs;
    }

  private:
    struct Lane {
        std::deque<std::uint64_t> pushes;  // of the commands in progress
        std::uint64_t lastStartNs = 0;
        std::uint32_t depth = 0;
    };
    std::array<Lane, hw::kEngineCount> lanes_;
};

}  // namespace vnpu::sim

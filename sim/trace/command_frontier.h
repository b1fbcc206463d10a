// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "hw_model/regs/engines.h"

namespace vnpu::sim {

/// An engine tells of a command when it ends, so what happened at a past time is complete only once
/// every command that could reach back to it has ended. This class knows that time: a command is
/// under way from its push to its record, and its story begins (with waiting for tokens) no earlier
/// than its push and the start of the command before it on the same engine. Simulation thread.
class CommandFrontier {
  public:
    /// An engine's queue fill changed; a rise is a push.
    void onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) {
        Lane& lane = lanes_[hw::engineIndex(engine)];
        for (std::uint32_t i = lane.depth; i < commands; ++i) {
            lane.pushes.push_back(timeNs);
        }
        lane.depth = commands;
    }

    /// The oldest command under way on `engine` ended.
    void onCommandEnd(hw::Engine engine, std::uint64_t startNs) {
        Lane& lane = lanes_[hw::engineIndex(engine)];
        lane.lastStartNs = std::max(lane.lastStartNs, startNs);
        if (!lane.pushes.empty()) {
            lane.pushes.pop_front();
        }
    }

    /// A job begins or ends: nothing is under way (commands that were dropped have no record).
    void onJobBoundary() {
        for (Lane& lane : lanes_) {
            lane.pushes.clear();
            lane.depth = 0;
        }
    }

    /// No event before this time is still to come.
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
        std::deque<std::uint64_t> pushes;  // of the commands under way
        std::uint64_t lastStartNs = 0;
        std::uint32_t depth = 0;
    };
    std::array<Lane, hw::kEngineCount> lanes_;
};

}  // namespace vnpu::sim

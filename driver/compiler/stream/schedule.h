// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/stream/command_list.h"

namespace vnpu::driver {

/// A checkpoint in the order of a stream.
struct PlacedCheckpoint {
    std::size_t position = 0;            // before the command at this place of the order
    hw::Checkpoint checkpoint{};         // without the places of the reloads
    std::vector<std::uint32_t> reloads;  // indexes into the list, in the order of the stream
    WaitList waits;                      // the controller passes it no earlier
    double passedCycles = 0;             // when the controller is expected to pass it
};

struct Schedule {
    std::vector<std::uint32_t> order;           // indexes into the list: the order of the stream
    std::vector<PlacedCheckpoint> checkpoints;  // by rising position
    std::vector<double> startCycles;   // when each command of the list is expected to start
    std::vector<double> finishCycles;  // and to finish
    double beginCycles = 0;            // up to the first command
    double totalCycles = 0;            // of the job

    /// By position: when all commands before it are expected to be finished.
    std::vector<double> drainedCycles() const;
};

/// Orders the stream by the earliest start of each command, so that the controller, which
/// dispatches strictly in order, hands every engine its next command in time. Each engine keeps its
/// own order, and no command comes before one that it waits for.
Schedule scheduleCommands(const std::vector<ListedCommand>& commands, const CostModel& costs);

/// Estimates the times anew, after the order or the checkpoints have changed.
void timeCommands(const std::vector<ListedCommand>& commands, const CostModel& costs,
                  Schedule& schedule);

/// Encodes the commands and checkpoints in that order, with the kEnd behind them.
std::vector<std::byte> encode(const std::vector<ListedCommand>& commands, const Schedule& schedule);

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/command_list.h"

namespace vnpu::driver {

struct Schedule {
    std::vector<std::uint32_t> order;  // indexes into the list: the order of the stream
    std::vector<double> finishCycles;  // when each command of the list is expected to finish
    double totalCycles = 0;
};

/// Orders the stream by when each command can start, so that the controller, which dispatches
/// strictly in order, has every engine's next command out in time. Each engine keeps its own order,
/// and no command comes before one it waits for.
Schedule scheduleCommands(const std::vector<ListedCommand>& commands, const CostModel& costs);

/// Encodes the commands in that order, with the kEnd behind them.
std::vector<std::byte> encode(const std::vector<ListedCommand>& commands, const Schedule& schedule);

}  // namespace vnpu::driver

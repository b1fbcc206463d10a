// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "driver/compiler/accesses.h"
#include "driver/compiler/cost_model.h"
#include "driver/compiler/hazard_tracker.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

using Payload = std::variant<hw::DmaTransfer, hw::DmaFill, hw::MacConv, hw::VecPool, hw::VecEltwise,
                             hw::VecUnary, hw::VecSoftmax, hw::VecReduce>;

/// A command with what it waits for and what it costs.
struct ListedCommand {
    hw::Engine engine = hw::Engine::kController;
    std::uint32_t operation = hw::kNoOperation;
    std::uint32_t tile = 0;
    WaitList waits;
    CommandCost cost;
    Payload payload;
};

/// Commands in the order in which the operations make them, each with its waits.
class CommandList {
  public:
    explicit CommandList(const CostModel& costs) : costs_(costs) {}

    /// Sets the operation and tile of the commands to come.
    void setOperation(std::uint32_t operation) {
        if (operation != operation_) {
            operation_ = operation;
            tile_ = 0;
        }
    }
    void nextTile() { ++tile_; }

    template <typename Work>
    void add(hw::Engine engine, const Work& work) {
        const AccessList accesses = accessesOf(work);
        commands_.push_back({engine, operation_, tile_, hazards_.record(engine, accesses),
                             costOf(costs_, work), work});
    }

    const CostModel& costs() const { return costs_; }
    const std::vector<ListedCommand>& commands() const { return commands_; }

  private:
    const CostModel& costs_;
    HazardTracker hazards_;
    std::vector<ListedCommand> commands_;
    std::uint32_t operation_ = hw::kNoOperation;
    std::uint32_t tile_ = 0;
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <variant>
#include <vector>

#include "driver/compiler/ir/accesses.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/stream/hazard_tracker.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/sram_blocks.h"

namespace vnpu::driver {

/// A step of the controller. Its branch names a label, because places are not known yet.
struct ControlCommand {
    ControlNode::Kind kind = ControlNode::Kind::kLabel;
    std::uint32_t label = 0;
    std::optional<hw::MemoryRef> condition = std::nullopt;  // kBranch: nothing: always
    bool isInverted = false;
    std::optional<std::uint32_t> loop = std::nullopt;
};

using Payload = std::variant<hw::DmaTransfer, hw::DmaFill, hw::MacConv, hw::VecPool, hw::VecEltwise,
                             hw::VecUnary, hw::VecSoftmax, hw::VecReduce, hw::VecOperator,
                             hw::DspOperator, ControlCommand>;

// The DSP's and the controller's commands do not name the bytes that they access.
inline AccessList accessesOf(const hw::DspOperator& /*work*/) {
    return {};
}
inline AccessList accessesOf(const ControlCommand& /*work*/) {
    return {};
}
inline AccessList accessesOf(const Payload& payload) {
    return std::visit([](const auto& work) { return accessesOf(work); }, payload);
}

/// A command with its waits and its cost.
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

    /// Sets the operation of the next commands. Each operation counts its own tiles, as stripes of
    /// several operations take turns.
    void setOperation(std::uint32_t operation) {
        operation_ = operation;
        tile_ = &tiles_[operation];
    }
    void nextTile() { ++*tile_; }

    template <typename Work>
    void add(hw::Engine engine, const Work& work) {
        add(engine, work, accessesOf(work), costOf(costs_, work));
    }

    /// For work whose accesses and cost do not follow from the payload.
    template <typename Work>
    void add(hw::Engine engine, const Work& work, std::span<const Access> accesses,
             const CommandCost& cost) {
        for (const Access& access : accesses) {
            if (access.space == hw::kSpaceSram) {
                sramBlocks_ |=
                        hw::sramBlocksOf(access.begin, access.end, costs_.device().sramBytes);
            }
        }
        commands_.push_back(
                {engine, operation_, *tile_, hazards_.record(engine, accesses), cost, work});
    }

    /// Everything before is finished when the controller takes this step.
    void addControl(const ControlCommand& control) {
        hazards_ = {};
        commands_.push_back({hw::Engine::kController, operation_, *tile_, {}, {}, control});
    }

    const CostModel& costs() const { return costs_; }
    const std::vector<ListedCommand>& commands() const { return commands_; }
    /// Blocks of SRAM that the commands touch (sram_blocks.h).
    std::uint64_t sramBlocks() const { return sramBlocks_; }

  private:
    const CostModel& costs_;
    HazardTracker hazards_;
    std::vector<ListedCommand> commands_;
    std::uint64_t sramBlocks_ = 0;
    std::uint32_t operation_ = hw::kNoOperation;
    std::map<std::uint32_t, std::uint32_t> tiles_;  // by operation
    std::uint32_t* tile_ = &tiles_[hw::kNoOperation];
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/schedule.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "driver/compiler/stream/bank_load.h"
#include "driver/compiler/stream/dram_share.h"
#include "driver/compiler/stream/page_walks.h"
#include "hw_model/regs/check.h"
#include "hw_model/regs/command_writer.h"

namespace vnpu::driver {
namespace {

/// Runs commands through engines that work in order and share the DRAM, and the SRAM's banks if
/// `hasBanks`. `walks` must outlive it.
class Pipeline {
  public:
    Pipeline(const CostModel& costs, PageWalks& walks, bool hasBanks)
        : costs_(&costs), walks_(&walks), dram_(costs.device().dramBytesPerCycle) {
        if (hasBanks) {
            banks_.emplace(costs.device());
        }
    }

    /// The earliest start of the command; nothing if a command that it waits for has not run yet.
    std::optional<double> startOf(const ListedCommand& command) const {
        for (const hw::TokenWait& wait : command.waits.view()) {
            if (finished_[wait.engine].size() < wait.count) {
                return std::nullopt;
            }
        }
        return std::max({engineFree_[hw::engineIndex(command.engine)], reached(command.waits),
                         resultsAt(command)});
    }

    /// When all counts are reached, of commands that have been run.
    double reached(const WaitList& waits) const {
        double time = 0;
        for (const hw::TokenWait& wait : waits.view()) {
            time = std::max(time, finished_[wait.engine][wait.count - 1]);
        }
        return time;
    }

    /// Runs the next command of its engine from `start` on.
    void run(const ListedCommand& command, double start) {
        const std::size_t engine = hw::engineIndex(command.engine);
        const double stall = banks_ ? banks_->begin(command, start, undisturbed(command)) : 0;
        double finish = start + command.cost.engineCycles;
        if (hw::isDma(command.engine)) {
            finish = finishTransfer(command, start) + stall;
            engineFree_[engine] = finish;
        } else if (command.engine == hw::Engine::kMac) {
            // The stage works beside the array, which may be ahead by half of the accumulators.
            const double stageStall = stall * command.cost.stageCycles / undisturbed(command);
            const double stageStart = std::max(finish + stall - stageStall, stageFree_);
            engineFree_[engine] = stageStart;
            finish = stageStart + command.cost.stageCycles + stageStall;
            stageFree_ = finish;
            stageWrites_ = macWrites(command);
        } else {
            finish += stall;
            engineFree_[engine] = finish;
        }
        finished_[engine].push_back(finish);
    }

    /// When the controller has a block of the stream for which it asks at `start`.
    double fetch(std::uint64_t bytes, double start) {
        return takeDram(DramShare::kController, start + costs_->device().dramLatencyCycles,
                        static_cast<double>(bytes), 0);
    }

    double dramBusyUntil() const { return dram_.busyUntil(); }

    /// When the commands of an engine finish, in their order. Later transfers may delay the last.
    std::span<const double> finishes(std::size_t engine) const { return finished_[engine]; }

    /// When the firmware hands a command over to `engine` that it has at `ready`: if as many as it
    /// keeps for one engine are in flight, it waits until half of these have finished.
    double roomAt(hw::Engine engine, double ready) const {
        const std::vector<double>& finished = finished_[hw::engineIndex(engine)];
        const std::size_t window =
                std::min(costs_->device().engineQueueDepth, CostModel::kMostInFlight);
        const bool isFull = finished.size() >= window && finished[finished.size() - window] > ready;
        return isFull ? finished[finished.size() - window / 2 - 1] : ready;
    }

  private:
    static AccessList macAccesses(const ListedCommand& command) {
        const auto* work = std::get_if<hw::MacConv>(&command.payload);
        return work == nullptr ? AccessList{} : accessesOf(*work);
    }

    static AccessList macWrites(const ListedCommand& command) {
        AccessList writes;
        for (const Access& access : macAccesses(command)) {
            if (access.isWrite) {
                writes.push_back(access);
            }
        }
        return writes;
    }

    /// The array works beside its output stage, but not on bytes that the stage still writes.
    double resultsAt(const ListedCommand& command) const {
        if (stageWrites_.size() == 0) {
            return 0;
        }
        for (const Access& read : macAccesses(command)) {
            for (const Access& write : stageWrites_) {
                if (!read.isWrite && read.begin < write.end && write.begin < read.end) {
                    return stageFree_;
                }
            }
        }
        return 0;
    }

    /// Cycles of a command alone.
    double undisturbed(const ListedCommand& command) const {
        return hw::isDma(command.engine) ? latency(command) + streaming(command)
                                         : command.cost.engineCycles + command.cost.stageCycles;
    }

    /// Of a transfer until its data begin.
    double latency(const ListedCommand& command) const {
        return costs_->dmaLatency() +
               (command.cost.decodeCycles > 0 ? CostModel::kDecoderStartCycles : 0);
    }

    /// Of a transfer's data alone.
    double streaming(const ListedCommand& command) const {
        return std::max({costs_->channelCycles(command.cost.busBytes), command.cost.decodeCycles,
                         costs_->dramCycles(command.cost.dramBytes)});
    }

    double finishTransfer(const ListedCommand& command, double start) {
        const CommandCost& cost = command.cost;
        const double walks = CostModel::kWalkCycles * static_cast<double>(walks_->walksOf(command));
        const double dataStart = start + latency(command);
        const double finish = dataStart + walks +
                              std::max(costs_->channelCycles(cost.busBytes), cost.decodeCycles);
        if (cost.dramBytes == 0) {
            return finish;
        }
        return std::max(finish, takeDram(hw::engineIndex(command.engine), dataStart, cost.dramBytes,
                                         walks));
    }

    /// As DramShare::take(); delays the other channels' transfers that have not ended.
    double takeDram(std::size_t user, double start, double bytes, double pauses) {
        const double end = dram_.take(user, start, bytes, pauses);
        for (std::size_t other = 0; other < hw::kEngineCount; ++other) {
            if (other != user && !finished_[other].empty()) {
                double& finished = finished_[other].back();
                finished = std::max(finished, dram_.endOf(other));
                engineFree_[other] = std::max(engineFree_[other], dram_.endOf(other));
            }
        }
        return end;
    }

    const CostModel* costs_;
    PageWalks* walks_;
    DramShare dram_;
    std::optional<BankLoad> banks_;
    std::array<double, hw::kEngineCount> engineFree_{};
    std::array<std::vector<double>, hw::kEngineCount> finished_;
    double stageFree_ = 0;
    AccessList stageWrites_;  // of the MAC command that the output stage had last
};

/// Orders the commands [first, last), which depend on nothing before them.
void orderSegment(std::span<const ListedCommand> all, std::uint32_t first, std::uint32_t last,
                  const CostModel& costs, PageWalks& walks, Schedule& schedule) {
    std::array<std::vector<std::uint32_t>, hw::kEngineCount> queues;
    for (std::uint32_t i = first; i < last; ++i) {
        queues[hw::engineIndex(all[i].engine)].push_back(i);
    }
    std::array<std::size_t, hw::kEngineCount> heads{};
    const std::size_t begin = schedule.order.size();
    Pipeline unlimited(costs, walks, false);
    while (schedule.order.size() - begin < last - first) {
        std::optional<std::uint32_t> next;
        double nextStart = 0;
        for (std::size_t e = 0; e < hw::kEngineCount; ++e) {
            if (heads[e] == queues[e].size()) {
                continue;
            }
            const std::uint32_t candidate = queues[e][heads[e]];
            const auto start = unlimited.startOf(all[candidate]);
            if (start &&
                (!next || *start < nextStart || (*start == nextStart && candidate < *next))) {
                next = candidate;
                nextStart = *start;
            }
        }
        VNPU_CHECK(next.has_value(), "the first command left waits only for earlier ones");
        unlimited.run(all[*next], nextStart);
        ++heads[hw::engineIndex(all[*next].engine)];
        schedule.order.push_back(*next);
    }
}

bool isControl(const ListedCommand& command) {
    return std::holds_alternative<ControlCommand>(command.payload);
}

/// Follows the controller along the order.
class Clock {
  public:
    Clock(const std::vector<ListedCommand>& all, const CostModel& costs, Schedule& schedule)
        : all_(all), costs_(costs), schedule_(schedule), walks_(all) {}

    void run() {
        schedule_.beginCycles = schedule_.totalCycles = costs_.jobBeginCycles();
        schedule_.startCycles.assign(all_.size(), 0);
        schedule_.finishCycles.assign(all_.size(), 0);
        beginSegment();
        streamBytes_ = schedule_.checkpoints.size() * kCheckpointBytes + sizeof(hw::CommandHeader);
        for (const ListedCommand& command : all_) {
            streamBytes_ += isControl(command) ? 0 : bytesOf(command);
        }
        std::size_t checkpoint = 0;
        for (std::size_t position = 0; position <= schedule_.order.size(); ++position) {
            for (; checkpoint < schedule_.checkpoints.size() &&
                   schedule_.checkpoints[checkpoint].position == position;
                 ++checkpoint) {
                passCheckpoint(schedule_.checkpoints[checkpoint]);
            }
            if (position == schedule_.order.size()) {
                endSegment();
                schedule_.totalCycles += costs_.jobEndCycles();
                return;
            }
            const std::uint32_t i = schedule_.order[position];
            if (isControl(all_[i])) {
                endSegment();
                schedule_.startCycles[i] = schedule_.totalCycles;
                schedule_.totalCycles += CostModel::kControlCycles;
                schedule_.finishCycles[i] = schedule_.totalCycles;
                beginSegment();
            } else {
                runCommand(i);
            }
        }
    }

  private:
    static constexpr std::uint64_t kCheckpointBytes =
            sizeof(hw::CommandHeader) + sizeof(hw::Checkpoint);

    void beginSegment() {
        pipeline_.emplace(costs_, walks_, true);
        segmentStart_ = handedOver_ = schedule_.totalCycles;
        dispatch_ = 0;
    }

    void endSegment() {
        double end = pipeline_->dramBusyUntil();
        for (std::size_t engine = 0; engine < hw::kEngineCount; ++engine) {
            const std::span<const double> finishes = pipeline_->finishes(engine);
            for (std::size_t i = 0; i < finishes.size(); ++i) {
                schedule_.finishCycles[ran_[engine][i]] = segmentStart_ + finishes[i];
                end = std::max(end, finishes[i]);
            }
            ran_[engine].clear();
        }
        schedule_.totalCycles = std::max(schedule_.totalCycles, segmentStart_ + end);
    }

    static std::uint64_t bytesOf(const ListedCommand& command) {
        return sizeof(hw::CommandHeader) +
               std::visit([](const auto& work) { return sizeof(work); }, command.payload);
    }

    /// The controller comes to a command of so many bytes, and waits for the blocks that hold it.
    void fetch(std::uint64_t bytes) {
        reached_ += bytes;
        while (reached_ > fetched_) {
            const std::uint64_t block = std::min(nextBlock_, streamBytes_ - fetched_);
            dispatch_ = pipeline_->fetch(block, std::max(dispatch_, handedOver_ - segmentStart_));
            handedOver_ = std::max(handedOver_, segmentStart_ + dispatch_);
            fetched_ += block;
            nextBlock_ = std::min(2 * nextBlock_, CostModel::kMostFetchBytes);
        }
    }

    /// The time for which a checkpoint holds the controller counts from when its waits are reached,
    /// or from the checkpoint before if that was before the controller came to it
    /// (firmware/README.md).
    void passCheckpoint(PlacedCheckpoint& placed) {
        fetch(kCheckpointBytes);
        const double arrival =
                std::max(dispatch_ + CostModel::kDispatchCycles, handedOver_ - segmentStart_);
        const double reached = pipeline_->reached(placed.waits);
        const double holdBegin = reached > arrival ? reached : lastPassed_ - segmentStart_;
        dispatch_ = std::max({arrival, reached, holdBegin + placed.checkpoint.holdCycles});
        placed.passedCycles = handedOver_ = lastPassed_ = segmentStart_ + dispatch_;
    }

    void runCommand(std::uint32_t index) {
        const ListedCommand& command = all_[index];
        fetch(bytesOf(command));
        dispatch_ += CostModel::kDispatchCycles;
        handedOver_ = std::max(handedOver_, segmentStart_ + dispatch_);
        handedOver_ =
                segmentStart_ + pipeline_->roomAt(command.engine, handedOver_ - segmentStart_);
        const auto start = pipeline_->startOf(command);
        VNPU_CHECK(start.has_value(), "the order keeps every command behind its waits");
        const double begin = std::max(*start, dispatch_);
        pipeline_->run(command, begin);
        schedule_.startCycles[index] = segmentStart_ + begin;
        ran_[hw::engineIndex(command.engine)].push_back(index);
    }

    const std::vector<ListedCommand>& all_;
    const CostModel& costs_;
    Schedule& schedule_;
    PageWalks walks_;
    std::optional<Pipeline> pipeline_;
    std::array<std::vector<std::uint32_t>, hw::kEngineCount> ran_;  // in the segment
    std::uint64_t streamBytes_ = 0;  // all commands, with the one that ends them
    std::uint64_t reached_ = 0;      // by the controller
    std::uint64_t fetched_ = CostModel::kFirstFetchBytes;  // the first block before the first start
    std::uint64_t nextBlock_ = 2 * CostModel::kFirstFetchBytes;
    double segmentStart_ = 0;
    double dispatch_ = 0;    // in the segment
    double handedOver_ = 0;  // when the queues have taken all so far
    double lastPassed_ = 0;  // when the controller left the last checkpoint
};

hw::Branch branchOf(const ControlCommand& control, std::uint32_t target) {
    hw::Branch branch{};
    branch.target = target;
    branch.condition = control.condition.value_or(hw::MemoryRef{});
    branch.loop = control.loop.value_or(0);
    branch.flags = (control.condition ? 0 : hw::kBranchAlways) |
                   (control.isInverted ? hw::kBranchIfFalse : 0) |
                   (control.loop ? hw::kBranchLoops : 0);
    return branch;
}

/// `places`: where in the stream the commands of the list begin.
hw::Checkpoint withReloads(const PlacedCheckpoint& placed,
                           const std::vector<std::uint32_t>& places) {
    hw::Checkpoint checkpoint = placed.checkpoint;
    for (const std::uint32_t command : placed.reloads) {
        checkpoint.reloads[checkpoint.reloadCount++] = places[command];
    }
    return checkpoint;
}

}  // namespace

std::vector<double> Schedule::drainedCycles() const {
    std::vector<double> drained{beginCycles};
    for (const std::uint32_t i : order) {
        drained.push_back(std::max(drained.back(), finishCycles[i]));
    }
    return drained;
}

Schedule scheduleCommands(const std::vector<ListedCommand>& commands, const CostModel& costs) {
    Schedule schedule;
    PageWalks walks(commands);
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i <= commands.size(); ++i) {
        const bool isEnd = i == commands.size();
        if (!isEnd && !isControl(commands[i])) {
            continue;
        }
        orderSegment(commands, first, i, costs, walks, schedule);
        if (!isEnd) {
            schedule.order.push_back(i);
        }
        first = i + 1;
    }
    timeCommands(commands, costs, schedule);
    return schedule;
}

void timeCommands(const std::vector<ListedCommand>& commands, const CostModel& costs,
                  Schedule& schedule) {
    Clock(commands, costs, schedule).run();
}

std::vector<std::byte> encode(const std::vector<ListedCommand>& commands,
                              const Schedule& schedule) {
    hw::CommandWriter writer;
    std::map<std::uint32_t, std::uint32_t> placeOfLabel;
    std::vector<std::pair<std::size_t, const ControlCommand*>> branches;  // and where they stand
    const auto writeControl = [&](const hw::CommandContext& context,
                                  const ControlCommand& control) {
        const auto place = static_cast<std::uint32_t>(writer.bytes().size());
        switch (control.kind) {
            case ControlNode::Kind::kLabel:
                placeOfLabel[control.label] = place;
                return writer.add(context, hw::Opcode::kSegment);
            case ControlNode::Kind::kLoop:
                return writer.add(context, hw::Loop{control.loop.value_or(0), 0});
            case ControlNode::Kind::kBranch:
                branches.emplace_back(place, &control);
                return writer.add(context, branchOf(control, 0));
        }
    };
    std::vector<std::uint32_t> places(commands.size(), 0);
    std::size_t checkpoint = 0;
    for (std::size_t position = 0; position <= schedule.order.size(); ++position) {
        for (; checkpoint < schedule.checkpoints.size() &&
               schedule.checkpoints[checkpoint].position == position;
             ++checkpoint) {
            const PlacedCheckpoint& placed = schedule.checkpoints[checkpoint];
            writer.add({.waits = placed.waits.view()}, withReloads(placed, places));
        }
        if (position == schedule.order.size()) {
            break;
        }
        const ListedCommand& command = commands[schedule.order[position]];
        places[schedule.order[position]] = static_cast<std::uint32_t>(writer.bytes().size());
        const hw::CommandContext context{command.engine, command.operation, command.tile,
                                         command.waits.view()};
        std::visit(
                [&]<typename Work>(const Work& work) {
                    if constexpr (std::is_same_v<Work, ControlCommand>) {
                        writeControl(context, work);
                    } else {
                        writer.add(context, work);
                    }
                },
                command.payload);
    }
    writer.add({}, hw::Opcode::kEnd);
    std::vector<std::byte> bytes = writer.takeBytes();
    for (const auto& [place, control] : branches) {
        const hw::Branch branch = branchOf(*control, placeOfLabel.at(control->label));
        std::memcpy(&bytes[place + sizeof(hw::CommandHeader)], &branch, sizeof(branch));
    }
    return bytes;
}

}  // namespace vnpu::driver

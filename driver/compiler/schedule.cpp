// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/schedule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "hw_model/regs/check.h"
#include "hw_model/regs/command_writer.h"

namespace vnpu::driver {
namespace {

/// Runs commands through engines that work in order and share the DRAM.
class Pipeline {
  public:
    explicit Pipeline(const CostModel& costs) : costs_(costs) {}

    /// When the command could start at the earliest; nothing if one that it waits for has not run
    /// yet.
    std::optional<double> startOf(const ListedCommand& command) const {
        double start = engineFree_[hw::engineIndex(command.engine)];
        for (const hw::TokenWait& wait : command.waits.view()) {
            const std::vector<double>& finished = finished_[wait.engine];
            if (finished.size() < wait.count) {
                return std::nullopt;
            }
            start = std::max(start, finished[wait.count - 1]);
        }
        return start;
    }

    /// Runs the next command of its engine from `start` on; returns when it finishes.
    double run(const ListedCommand& command, double start) {
        const std::size_t engine = hw::engineIndex(command.engine);
        double finish = start + command.cost.engineCycles;
        engineFree_[engine] = finish;
        if (hw::isDma(command.engine)) {
            finish = finishTransfer(command, start);
            engineFree_[engine] = finish;
        } else if (command.engine == hw::Engine::kMac) {
            // The stage works beside the array, which may be one half of the accumulators ahead.
            const double stageStart = std::max(finish, stageFree_);
            engineFree_[engine] = stageStart;
            finish = stageStart + command.cost.stageCycles;
            stageFree_ = finish;
        }
        finished_[engine].push_back(finish);
        return finish;
    }

  private:
    double finishTransfer(const ListedCommand& command, double start) {
        const double dataStart = start + costs_.dmaLatency() + command.cost.strideCycles;
        const double finish = dataStart + costs_.channelCycles(command.cost.busBytes);
        if (command.cost.dramBytes == 0) {
            return finish;
        }
        dramFree_ = std::max(dramFree_, dataStart) + costs_.dramCycles(command.cost.dramBytes);
        return std::max(finish, dramFree_);
    }

    const CostModel& costs_;
    std::array<double, hw::kEngineCount> engineFree_{};
    std::array<std::vector<double>, hw::kEngineCount> finished_;
    double stageFree_ = 0;
    double dramFree_ = 0;
};

}  // namespace

Schedule scheduleCommands(const std::vector<ListedCommand>& commands, const CostModel& costs) {
    std::array<std::vector<std::uint32_t>, hw::kEngineCount> queues;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        queues[hw::engineIndex(commands[i].engine)].push_back(static_cast<std::uint32_t>(i));
    }
    std::array<std::size_t, hw::kEngineCount> heads{};
    Schedule schedule;
    Pipeline unlimited(costs);
    while (schedule.order.size() < commands.size()) {
        std::optional<std::uint32_t> next;
        double nextStart = 0;
        for (std::size_t e = 0; e < hw::kEngineCount; ++e) {
            if (heads[e] == queues[e].size()) {
                continue;
            }
            const std::uint32_t candidate = queues[e][heads[e]];
            const auto start = unlimited.startOf(commands[candidate]);
            if (start &&
                (!next || *start < nextStart || (*start == nextStart && candidate < *next))) {
                next = candidate;
                nextStart = *start;
            }
        }
        VNPU_CHECK(next.has_value(), "the first command left waits only for earlier ones");
        unlimited.run(commands[*next], nextStart);
        ++heads[hw::engineIndex(commands[*next].engine)];
        schedule.order.push_back(*next);
    }

    schedule.finishCycles.resize(commands.size());
    Pipeline dispatched(costs);
    double dispatch = CostModel::kJobCycles;
    for (const std::uint32_t i : schedule.order) {
        dispatch += CostModel::kDispatchCycles;
        const auto start = dispatched.startOf(commands[i]);
        VNPU_CHECK(start.has_value(), "the order keeps every command behind its waits");
        schedule.finishCycles[i] = dispatched.run(commands[i], std::max(*start, dispatch));
        schedule.totalCycles = std::max(schedule.totalCycles, schedule.finishCycles[i]);
    }
    return schedule;
}

std::vector<std::byte> encode(const std::vector<ListedCommand>& commands,
                              const Schedule& schedule) {
    hw::CommandWriter writer;
    for (const std::uint32_t i : schedule.order) {
        const ListedCommand& command = commands[i];
        const hw::CommandContext context{command.engine, command.operation, command.tile,
                                         command.waits.view()};
        std::visit([&](const auto& payload) { writer.add(context, payload); }, command.payload);
    }
    writer.add({}, hw::Opcode::kEnd);
    return writer.takeBytes();
}

}  // namespace vnpu::driver

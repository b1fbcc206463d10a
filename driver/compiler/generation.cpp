// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "driver/compiler/emit/emission.h"
#include "driver/compiler/emit/region_table.h"
#include "driver/compiler/ir/time_shares.h"
#include "driver/compiler/stream/checkpoints.h"
#include "driver/compiler/weights/coded_weights.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::Model;

Result<void> checkCommands(const MemoryPlan& plan) {
    std::uint64_t commands = 0;
    for (const NodePlan& node : plan.nodes) {
        commands += node.commands;
    }
    if (commands > kMaxCommands) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("the model takes about {} commands, the driver makes up to {}",
                                commands, kMaxCommands));
    }
    return {};
}

Result<void> checkMemory(const CompiledModel& model, const DeviceInfo& device) {
    const std::uint64_t bytes = model.scratchBytes + model.constants.size();
    if (bytes > device.memoryBytes) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("scratch and constants take {} bytes, the device has {}", bytes,
                                device.memoryBytes));
    }
    return {};
}

void emitNodes(const Graph& graph, const MemoryPlan& plan, EmissionContext& context) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        context.list.setOperation(node.operation);
        std::visit([&](const auto& work) { emit(context, work, plan.nodes[n]); }, node.work);
    }
}

/// Per operation: its share of the work and of the time from the first command to the last.
std::vector<OperationEstimate> estimateOperations(const Model& model, const CommandList& list,
                                                  const Schedule& schedule) {
    std::vector<OperationEstimate> estimates(model.main.operations.size());
    std::vector<EngineSpan> spans;
    std::uint64_t begin = UINT64_MAX;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < list.commands().size(); ++i) {
        const ListedCommand& command = list.commands()[i];
        OperationEstimate& estimate = estimates[command.operation];
        ++estimate.commands;
        estimate.macs += command.cost.macs;
        estimate.dramBytes += static_cast<std::uint64_t>(command.cost.dramBytes);
        spans.push_back({command.engine, command.operation,
                         static_cast<std::uint64_t>(schedule.startCycles[i]),
                         static_cast<std::uint64_t>(schedule.finishCycles[i])});
        begin = std::min(begin, spans.back().begin);
        end = std::max(end, spans.back().end);
    }
    const std::vector<std::uint64_t> cycles =
            timeShares(std::move(spans), estimates.size(), std::min(begin, end), end);
    for (std::uint32_t i = 0; i < estimates.size(); ++i) {
        estimates[i].operation = i;
        estimates[i].name = toString(model.main.operations[i].type);
        estimates[i].isFolded = estimates[i].commands == 0;
        estimates[i].cycles = cycles[i];
    }
    return estimates;
}

}  // namespace

double OrderedStream::cost() const {
    constexpr double kTrafficShare = 0.05;  // chosen: little time for much less traffic
    double dramCycles = 0;
    for (const ListedCommand& command : list.commands()) {
        dramCycles += list.costs().dramCycles(command.cost.dramBytes);
    }
    return cycles() + kTrafficShare * dramCycles;
}

tl::unexpected<Error> report(const Refusal& refusal) {
    switch (refusal.kind) {
        case Refusal::Kind::kInvalid:
        case Refusal::Kind::kUndetermined:
            return invalidArgument(refusal.reason);
        case Refusal::Kind::kExhausted:
            return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, refusal.reason);
        case Refusal::Kind::kUnsupported:
            break;
    }
    return fail(ErrorStatus::GENERAL_FAILURE, refusal.reason);
}

Result<OrderedStream> orderStream(Graph& graph, const MemoryPlan& plan,
                                  const StreamInputs& inputs) {
    VNPU_TRY(checkCommands(plan));
    OrderedStream stream{inputs.common, CommandList(inputs.costs), {}};
    std::vector<std::byte>& constants = stream.model.constants;
    CodedWeights coded;
    if (inputs.coder != nullptr) {
        coded = codeWeights(graph, plan, inputs.pools, *inputs.coder, constants);
    }
    stream.model.scratchBytes = placeScratch(graph, plan.residentAt);
    stream.model.sramBytesUsed = sramBytesUsed(graph, plan);
    VNPU_TRY(checkMemory(stream.model, inputs.costs.device()));
    StoragePlaces places;
    places.sram = plan.residentAt;
    if (auto regions = layOutRegions(graph, inputs.pools, stream.model, places); !regions) {
        return report(regions.error());
    }
    EmissionContext context{graph, places,    stream.list,
                            coded, constants, inputs.options.checkpointCycles};
    emitNodes(graph, plan, context);
    stream.model.sramBlocks = stream.list.sramBlocks();
    stream.schedule = scheduleCommands(stream.list.commands(), inputs.costs);
    return stream;
}

CompiledModel finishStream(OrderedStream stream, const StreamInputs& inputs, const Model& model) {
    auto& [result, list, schedule] = stream;
    result.longestIntervalCycles = static_cast<std::uint64_t>(schedule.totalCycles);
    const std::uint64_t interval = inputs.options.checkpointCycles;
    if (interval > 0) {
        const CheckpointSummary summary =
                placeCheckpoints(list.commands(), inputs.costs, result.regions,
                                 static_cast<double>(interval), schedule);
        result.checkpointCount = summary.count;
        result.saveBytes = summary.saveBytes;
        result.longestIntervalCycles = summary.longestCycles;
    }
    result.commands = encode(list.commands(), schedule);
    result.commandCount =
            static_cast<std::uint32_t>(list.commands().size() + result.checkpointCount + 1);
    result.operations = estimateOperations(model, list, schedule);
    result.estimatedCycles = static_cast<std::uint64_t>(schedule.totalCycles);
    return std::move(result);
}

}  // namespace vnpu::driver

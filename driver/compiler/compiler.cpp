// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/compiler/emit/emission.h"
#include "driver/compiler/emit/region_table.h"
#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/frontend/lowering.h"
#include "driver/compiler/ir/time_shares.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/rewrite/cascade.h"
#include "driver/compiler/rewrite/fusion.h"
#include "driver/compiler/rewrite/image_rows.h"
#include "driver/compiler/stream/checkpoints.h"
#include "driver/compiler/stream/schedule.h"
#include "driver/compiler/weights/coded_weights.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::Model;

// chosen: tokens count to 2^24 and a stream of this many commands takes 200 MB
constexpr std::uint64_t kMaxCommands = 1'000'000;

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

std::string nameOperation(const Model& model, std::uint32_t index) {
    return fmt::format("operation {} ({})", index, toString(model.main.operations[index].type));
}

Result<void> goOn(const CompileOptions& options, const char* stage) {
    if (options.mayGoOn && !options.mayGoOn()) {
        return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                    fmt::format("there is no time left for {}", stage));
    }
    return {};
}

Result<void> lowerAll(const Model& model, const ModelReader& reader, const CompileOptions& options,
                      GraphBuilder& builder) {
    for (std::uint32_t i = 0; i < model.main.operations.size(); ++i) {
        VNPU_TRY(goOn(options, "lowering the operations"));
        if (auto lowered = lowerOperation(builder, OperationReader(reader, i)); !lowered) {
            lowered.error().reason =
                    fmt::format("{}: {}", nameOperation(model, i), lowered.error().reason);
            return report(lowered.error());
        }
    }
    return {};
}

/// The shapes of the model's inputs or outputs. All must be known by now except those that the
/// device determines.
Result<std::vector<TensorShape>> resolvedShapes(const Graph& graph,
                                                const std::vector<TensorId>& tensors,
                                                std::string_view what) {
    std::vector<TensorShape> shapes;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[tensors[i]];
        if (tensor.isDynamic() || tensor.isOmitted) {
            shapes.push_back({tensor.shape, 0});
            continue;
        }
        if (!isKnown(tensor.shape)) {
            return invalidArgument(
                    fmt::format("{} {} has unknown dimensions {}", what, i, toText(tensor.shape)));
        }
        shapes.push_back({tensor.shape, tensor.sizeBytes()});
    }
    return shapes;
}

Result<void> checkInputDimensions(const Model& model, const CompileOptions& options) {
    const auto& inputs = model.main.inputIndexes;
    if (options.inputDimensions.size() > inputs.size()) {
        return invalidArgument(fmt::format("dimensions of {} inputs are given, the model has {}",
                                           options.inputDimensions.size(), inputs.size()));
    }
    for (std::size_t i = 0; i < options.inputDimensions.size(); ++i) {
        const std::vector<std::uint32_t> declared = model.main.operands[inputs[i]].dimensions;
        const std::vector<std::uint32_t>& given = options.inputDimensions[i];
        if (!given.empty() && !agrees(declared, given)) {
            return invalidArgument(fmt::format("input {} has dimensions {} in the model, given {}",
                                               i, toText(declared), toText(given)));
        }
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

/// Per operation: its share of the work and of the job's time.
std::vector<OperationEstimate> estimateOperations(const Model& model, const CommandList& list,
                                                  const Schedule& schedule) {
    std::vector<OperationEstimate> estimates(model.main.operations.size());
    std::vector<EngineSpan> spans;
    for (std::size_t i = 0; i < list.commands().size(); ++i) {
        const ListedCommand& command = list.commands()[i];
        OperationEstimate& estimate = estimates[command.operation];
        ++estimate.commands;
        estimate.macs += command.cost.macs;
        estimate.dramBytes += static_cast<std::uint64_t>(command.cost.dramBytes);
        spans.push_back({command.engine, command.operation,
                         static_cast<std::uint64_t>(schedule.startCycles[i]),
                         static_cast<std::uint64_t>(schedule.finishCycles[i])});
    }
    const std::vector<std::uint64_t> cycles =
            timeShares(std::move(spans), estimates.size(), 0,
                       static_cast<std::uint64_t>(schedule.totalCycles));
    for (std::uint32_t i = 0; i < estimates.size(); ++i) {
        estimates[i].operation = i;
        estimates[i].name = toString(model.main.operations[i].type);
        estimates[i].isFolded = estimates[i].commands == 0;
        estimates[i].cycles = cycles[i];
    }
    return estimates;
}

/// Builds the graph up to the last rewriting, flattenPointwise.
Result<void> buildGraph(const Model& model, const ModelReader& reader,
                        const CompileOptions& options, GraphBuilder& builder) {
    VNPU_TRY(lowerAll(model, reader, options, builder));
    Graph& graph = builder.graph();
    if (auto added = addImageCopies(graph, options); !added) {
        return report(added.error());
    }
    // Where steps may run again or not at all, several tensors share storages, and the neighboring
    // nodes do not show all their readers and writers.
    if (!graph.hasControlFlow()) {
        foldActivations(graph);
        aliasReshapes(graph);
        foldPads(graph);
        writePartsInPlace(graph);
    }
    sizeStorages(graph);
    return {};
}

/// An operation without a tile that fits the SRAM, or with more tiles than one stream takes.
std::optional<std::uint32_t> findMisfit(const Graph& graph, const CostModel& costs) {
    const std::vector<std::optional<std::uint32_t>> nowhere(graph.storages.size());
    ConvPlanner convolutions(costs);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        const auto plan =
                planNode(graph, node, costs, convolutions, wholeSram(costs.device(), n), nowhere);
        if (!plan || plan->commands > kMaxCommands) {
            return node.operation;
        }
    }
    return std::nullopt;
}

/// Plans, places and emits a finished graph into `result`, whose shapes and constants are set.
Result<void> generate(const Model& model, std::span<const PoolView> pools, Graph& planned,
                      const CostModel& costs, ConvPlanner& convolutions, WeightCoder& coder,
                      const CompileOptions& options, CompiledModel& result) {
    VNPU_TRY(goOn(options, "planning the memory"));
    auto plan = planMemory(planned, costs, convolutions);
    if (!plan) {
        return report(plan.error());
    }
    std::uint64_t commands = 0;
    for (const NodePlan& node : plan->nodes) {
        commands += node.commands;
    }
    if (commands > kMaxCommands) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("the model takes about {} commands, the driver makes up to {}",
                                commands, kMaxCommands));
    }
    CodedWeights coded;
    Graph moved;  // with constants at other places, if weights are coded
    const bool isCoding = costs.device().decoderBytesPerCycle != 0;
    if (isCoding) {
        VNPU_TRY(goOn(options, "coding the weights"));
        moved = planned;
        coded = codeWeights(moved, *plan, pools, coder, result.constants);
    }
    Graph& graph = isCoding ? moved : planned;
    result.scratchBytes = placeScratch(graph, plan->residentAt);
    result.sramBytesUsed = plan->sramBytesUsed;
    const std::uint64_t deviceBytes = result.scratchBytes + result.constants.size();
    if (deviceBytes > costs.device().memoryBytes) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("scratch and constants take {} bytes, the device has {}",
                                deviceBytes, costs.device().memoryBytes));
    }
    StoragePlaces places;
    places.sram = plan->residentAt;
    if (auto regions = layOutRegions(graph, pools, result, places); !regions) {
        return report(regions.error());
    }
    VNPU_TRY(goOn(options, "emitting the commands"));
    CommandList list(costs);
    EmissionContext context{graph, places, list, coded, result.constants, options.checkpointCycles};
    emitNodes(graph, *plan, context);
    result.sramBlocks = list.sramBlocks();
    VNPU_TRY(goOn(options, "ordering the commands"));
    Schedule schedule = scheduleCommands(list.commands(), costs);
    result.longestIntervalCycles = static_cast<std::uint64_t>(schedule.totalCycles);
    if (options.checkpointCycles > 0) {
        VNPU_TRY(goOn(options, "placing checkpoints"));
        const CheckpointSummary summary =
                placeCheckpoints(list.commands(), costs, result.regions,
                                 static_cast<double>(options.checkpointCycles), schedule);
        result.checkpointCount = summary.count;
        result.saveBytes = summary.saveBytes;
        result.longestIntervalCycles = summary.longestCycles;
    }
    result.commands = encode(list.commands(), schedule);
    result.commandCount =
            static_cast<std::uint32_t>(list.commands().size() + result.checkpointCount + 1);
    result.operations = estimateOperations(model, list, schedule);
    result.estimatedCycles = static_cast<std::uint64_t>(schedule.totalCycles);
    return {};
}

}  // namespace

std::vector<std::string> findUnsupported(const Model& model) {
    const ModelReader reader(model, std::nullopt);
    GraphBuilder builder(reader, {});
    std::vector<std::string> reasons(model.main.operations.size());
    for (std::uint32_t i = 0; i < reasons.size(); ++i) {
        const auto lowered = lowerOperation(builder, OperationReader(reader, i));
        if (!lowered && lowered.error().kind != Refusal::Kind::kUndetermined) {
            reasons[i] = fmt::format("{}: {}", nameOperation(model, i), lowered.error().reason);
        }
    }
    return reasons;
}

Result<CompiledModel> compile(const Model& model, std::span<const PoolView> pools,
                              const DeviceInfo& device, const CompileOptions& options) {
    VNPU_TRY(checkInputDimensions(model, options));
    const ModelReader reader(model, pools);
    const CostModel costs(device);
    CompileOptions tried = options;
    std::optional<GraphBuilder> builder;
    // An operation that fits no tile goes to the DSP; its neighbors may then be fused differently.
    for (std::optional<std::uint32_t> misfit; !builder || misfit;) {
        builder.emplace(reader, tried);
        VNPU_TRY(buildGraph(model, reader, tried, *builder));
        VNPU_TRY(goOn(options, "looking for what fits no tile"));
        Graph flat = builder->graph();
        flattenPointwise(flat);
        misfit = findMisfit(flat, costs);
        if (misfit) {
            tried.wholeOperations.push_back(*misfit);
        }
    }
    Graph& graph = builder->graph();

    CompiledModel result;
    VNPU_TRY_ASSIGN(result.inputs, resolvedShapes(graph, graph.inputs, "input"));
    VNPU_TRY_ASSIGN(result.outputs, resolvedShapes(graph, graph.outputs, "output"));
    result.constants = std::move(builder->constants());
    result.dynamicTensors = graph.dynamicTensors;
    VNPU_TRY(goOn(options, "looking for what can be cut into stripes"));
    const std::vector<std::byte> uncoded = result.constants;
    WeightCoder coder(costs, pools, uncoded);
    if (device.decoderBytesPerCycle != 0) {
        coder.estimateShares(graph);
    }
    ConvPlanner convolutions(costs);
    std::optional<Graph> striped = cascade(graph, costs, convolutions);
    flattenPointwise(graph);
    if (!striped) {
        VNPU_TRY(generate(model, pools, graph, costs, convolutions, coder, tried, result));
        return result;
    }
    flattenPointwise(*striped);
    CompiledModel inStripes = result;
    const auto generated =
            generate(model, pools, *striped, costs, convolutions, coder, tried, inStripes);
    VNPU_TRY(generate(model, pools, graph, costs, convolutions, coder, tried, result));
    const bool isBetter = generated && inStripes.estimatedCycles < result.estimatedCycles;
    return isBetter ? std::move(inStripes) : std::move(result);
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/frontend/lowering.h"
#include "driver/compiler/generation.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/plan_search.h"
#include "driver/compiler/rewrite/fusion.h"
#include "driver/compiler/rewrite/image_rows.h"
#include "driver/compiler/rewrite/pixel_reads.h"
#include "driver/compiler/rewrite/pool_parts.h"
#include "driver/compiler/rewrite/shared_filters.h"
#include "driver/compiler/weights/weight_coder.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::Model;

std::string nameOperation(const Model& model, std::uint32_t index) {
    return fmt::format("operation {} ({})", index, toString(model.main.operations[index].type));
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
        poolParts(graph);
        writePartsInPlace(graph);
        copySharedFilters(graph);
    }
    sizeStorages(graph);
    return {};
}

/// An operation without a tile that fits the SRAM, or with more tiles than one stream takes.
std::optional<std::uint32_t> findMisfit(const Graph& graph, const CostModel& costs,
                                        ConvPlanner& convolutions) {
    const std::vector<std::optional<std::uint32_t>> nowhere(graph.storages.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        const auto plan = planNode(graph, node, costs, convolutions,
                                   emptySram(costs.device(), costs.device().sramBytes, n), nowhere);
        if (!plan || plan->commands > kMaxCommands) {
            return node.operation;
        }
    }
    return std::nullopt;
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
    ConvPlanner convolutions(costs);
    CompileOptions tried = options;
    std::optional<GraphBuilder> builder;
    // An operation that fits no tile goes to the DSP; its neighbors may then be fused differently.
    for (std::optional<std::uint32_t> misfit; !builder || misfit;) {
        builder.emplace(reader, tried);
        VNPU_TRY(buildGraph(model, reader, tried, *builder));
        VNPU_TRY(goOn(options, "looking for what fits no tile"));
        misfit = findMisfit(flattened(builder->graph()), costs, convolutions);
        if (misfit) {
            tried.wholeOperations.push_back(*misfit);
        }
    }
    Graph& graph = builder->graph();
    if (device.pixelReads) {
        readByPixel(graph);
    }

    CompiledModel result;
    VNPU_TRY_ASSIGN(result.inputs, resolvedShapes(graph, graph.inputs, "input"));
    VNPU_TRY_ASSIGN(result.outputs, resolvedShapes(graph, graph.outputs, "output"));
    result.constants = std::move(builder->constants());
    result.dynamicTensors = graph.dynamicTensors;
    const std::vector<std::byte> uncoded = result.constants;
    WeightCoder coder(costs, pools, uncoded);
    const bool isCoding = device.decoderBytesPerCycle != 0;
    if (isCoding) {
        coder.estimateShares(graph);
    }
    const StreamInputs inputs{costs, pools, isCoding ? &coder : nullptr, tried, result};
    VNPU_TRY_ASSIGN(auto found, PlanSearch(inputs, convolutions).run(graph));
    VNPU_TRY(goOn(options, "placing checkpoints"));
    return finishStream(std::move(found.stream), inputs, model);
}

}  // namespace vnpu::driver

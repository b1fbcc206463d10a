// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "driver/compiler/plan/memory_planner.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

using Residents = std::vector<std::optional<std::uint32_t>>;

bool isResident(const Graph& graph, TensorId tensor, const Residents& residentAt) {
    return residentAt[graph.tensors[tensor].storage].has_value() ||
           residentAt[graph.tensors[graph.originalOf(tensor)].storage].has_value();
}

template <typename Plan>
std::optional<NodePlan> wrap(std::shared_ptr<const Plan> plan) {
    if (plan == nullptr) {
        return std::nullopt;
    }
    NodePlan result;
    result.commands = plan->commands;
    result.cycles = plan->cycles;
    result.plan = std::move(plan);
    return result;
}

template <typename Plan>
std::optional<NodePlan> wrap(std::optional<Plan> plan) {
    return plan ? wrap(std::make_shared<const Plan>(std::move(*plan))) : std::nullopt;
}

/// A copy or fill runs at the speed of memory, once for each side that lies there.
NodePlan planTransfer(const Graph& graph, const Node& node, const CostModel& costs,
                      const Residents& residentAt) {
    NodePlan plan;
    const auto* copy = std::get_if<CopyNode>(&node.work);
    const TensorId output = outputOf(node);
    if (graph.originalOf(output) != output && !residentAt[graph.tensors[output].storage]) {
        return plan;  // readers take the original
    }
    plan.commands = 1;
    std::uint64_t rows = 1;
    std::uint64_t rowBytes = graph.tensors[outputOf(node)].sizeBytes();
    double passes = isResident(graph, outputOf(node), residentAt) ? 0 : 1;
    if (copy != nullptr) {
        const std::uint64_t element = graph.tensors[copy->input].elementBytes();
        std::uint64_t run = 1;
        for (auto axis = copy->axes.rbegin(); axis != copy->axes.rend(); ++axis) {
            if (axis->inputStride != run || axis->outputStride != run) {
                break;
            }
            run *= axis->extent;
        }
        const std::uint32_t pixel = graph.pixelBytesOf(copy->input);
        if (pixel != 0 && !isResident(graph, copy->input, residentAt)) {
            run = std::min(run, pixel / element);
        }
        rows = elementsOf(copy->axes) / run;
        rowBytes = run * element;
        passes += isResident(graph, copy->input, residentAt) ? 0 : 1;
        plan.commands = commandsOf(copy->axes, run != 1);
    }
    const std::uint32_t share =
            copy != nullptr ? graph.tensors[copy->input].codedShare : kPlainShare;
    const double decodedBytes =
            share < kPlainShare ? static_cast<double>(rows) * static_cast<double>(rowBytes) : 0;
    const double bytes = CostModel::busBytes(rows, hw::divideUp(rowBytes * share, kPlainShare));
    plan.cycles = static_cast<double>(plan.commands) * costs.dmaLatency() +
                  std::max({costs.channelCycles(bytes), passes * costs.dramCycles(bytes),
                            costs.decodeCycles(decodedBytes)});
    return plan;
}

}  // namespace

Workspace emptySram(const DeviceInfo& device, std::uint64_t sramBytes, std::size_t nodeIndex) {
    Workspace workspace;
    workspace.free = {{0, sramBytes}};
    const std::uint64_t bankBytes = device.sramBytes / device.sramBanks;
    workspace.bankBytes = bankBytes % kSramAlignment == 0 ? bankBytes : 0;
    workspace.side = sideOf(nodeIndex);
    return workspace;
}

std::optional<NodePlan> planNode(const Graph& graph, const Node& node, const CostModel& costs,
                                 ConvPlanner& convolutions, const Workspace& workspace,
                                 const Residents& residentAt) {
    if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
        return wrap(convolutions.plan(*conv, workspace,
                                      {isResident(graph, conv->input, residentAt),
                                       isResident(graph, conv->output, residentAt),
                                       isResident(graph, conv->filter, residentAt)},
                                      graph.pixelBytesOf(conv->input) != 0));
    }
    if (const auto* pool = std::get_if<PoolNode>(&node.work)) {
        return wrap(planPool(
                *pool, costs, workspace,
                {isResident(graph, pool->input, residentAt),
                 pool->outputPixelStride == 0 && isResident(graph, pool->output, residentAt)}));
    }
    if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        std::vector<bool> flags;
        for (const BlockOperand& operand : block->operands) {
            flags.push_back(isResident(graph, operand.tensor, residentAt));
        }
        return wrap(planBlocks(*block, graph, costs, workspace, flags));
    }
    if (std::holds_alternative<OperatorNode>(node.work) ||
        std::holds_alternative<ControlNode>(node.work)) {
        NodePlan plan;  // nothing to choose
        plan.commands = 1;
        return plan;
    }
    return planTransfer(graph, node, costs, residentAt);
}

std::string describeMisfit(const Graph& graph, const Node& node, const DeviceInfo& device) {
    std::uint64_t needed = 0;
    if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
        const WindowGeometry& g = conv->geometry;
        const std::uint64_t element = hw::elementBytes(conv->prototype.inputType);
        const std::uint64_t taps = std::uint64_t{g.filterHeight} * g.filterWidth;
        needed = (std::uint64_t{spanOf(g.rows(), 1)} * spanOf(g.columns(), 1) + taps) * element;
    } else if (const auto* pool = std::get_if<PoolNode>(&node.work)) {
        const WindowGeometry& g = pool->geometry;
        needed = std::uint64_t{spanOf(g.rows(), 1)} * spanOf(g.columns(), 1) *
                 hw::elementBytes(pool->prototype.type);
    } else if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        Shape4 least{1, 1, 1, 1};
        for (std::size_t d = 0; d < 4; ++d) {
            least[d] = block->isWhole[d] ? block->dims[d] : 1;
        }
        for (const BlockOperand& operand : block->operands) {
            needed +=
                    operandElements(operand, least) * graph.tensors[operand.tensor].elementBytes();
        }
    }
    return fmt::format("its smallest tile takes more than {} bytes of SRAM, the device has {}",
                       needed, device.sramBytes);
}

}  // namespace vnpu::driver

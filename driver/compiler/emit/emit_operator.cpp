// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <vector>

#include "driver/compiler/emit/emission.h"
#include "driver/compiler/emit/transfer.h"
#include "driver/compiler/plan/whole_cost.h"

namespace vnpu::driver {
namespace {

hw::DspOperand describe(const EmissionContext& context, TensorId id, bool isOutput) {
    hw::DspOperand operand{};
    if (id == kNoTensor) {
        operand.flags = hw::kOperandOmitted;
        return operand;
    }
    const Tensor& tensor = context.graph.tensors[id];
    const Storage& storage = context.graph.storageOf(id);
    const bool isOpen = tensor.isDynamic();
    operand.type = static_cast<hw::TensorType>(tensor.type);
    operand.data = context.home(id);
    operand.capacityBytes = tensor.sizeBytes();
    if (isOpen) {
        // The capacity of an output is known only to the request; the region's end limits it.
        operand.capacityBytes =
                storage.kind == StorageKind::kOutput ? UINT64_MAX : storage.sizeBytes;
        operand.flags = hw::kOperandDynamic;
        operand.shape = context.places.shapes + *tensor.shapeIndex * sizeof(hw::DspShape);
    }
    operand.scale = tensor.scale;
    operand.zeroPoint = tensor.zeroPoint;
    const bool isAnyRank = isOpen && (tensor.shape.empty() || !isOutput);
    operand.rank = isAnyRank ? hw::kAnyRank : static_cast<std::uint8_t>(tensor.shape.size());
    if (!isAnyRank) {
        std::copy(tensor.shape.begin(), tensor.shape.end(), operand.dimensions);
    }
    if (!tensor.channelScales.empty()) {
        operand.channelCount = static_cast<std::uint32_t>(tensor.channelScales.size());
        operand.channelDimension = static_cast<std::uint8_t>(tensor.channelDimension);
        operand.scales = context.places.memory[*tensor.channelScaleStorage];
    }
    return operand;
}

Access accessTo(const hw::MemoryRef& place, std::uint64_t bytes, bool isWrite) {
    return {place.space, isWrite, place.offset, place.offset + bytes};
}

}  // namespace

void emit(EmissionContext& context, const OperatorNode& node, const NodePlan& /*plan*/) {
    const Storage& room = context.graph.storages[node.descriptor];
    const hw::MemoryRef descriptor = context.places.memory[node.descriptor];
    std::byte* to = context.constants.data() + room.offset;
    std::vector<Access> accesses{accessTo(descriptor, room.sizeBytes, false)};
    const auto add = [&](TensorId id, bool isOutput) {
        const hw::DspOperand operand = describe(context, id, isOutput);
        if (id != kNoTensor) {
            accesses.push_back(accessTo(operand.data,
                                        std::min<std::uint64_t>(operand.capacityBytes, UINT32_MAX),
                                        isOutput));
        }
        if (operand.flags == hw::kOperandDynamic) {
            accesses.push_back(accessTo(operand.shape, sizeof(hw::DspShape), isOutput));
        }
        std::memcpy(to, &operand, sizeof(operand));
        to += sizeof(operand);
    };
    for (const TensorId id : node.inputs) {
        add(id, false);
    }
    for (const TensorId id : node.outputs) {
        add(id, true);
    }
    hw::DspOperator work{};
    work.op = node.op;
    work.inputCount = static_cast<std::uint16_t>(node.inputs.size());
    work.outputCount = static_cast<std::uint16_t>(node.outputs.size());
    work.descriptor = descriptor;
    context.list.add(hw::Engine::kDsp, work, accesses,
                     wholeCost(context.list.costs(), context.graph, node));
    context.list.nextTile();
}

void emit(EmissionContext& context, const ControlNode& node, const NodePlan& /*plan*/) {
    ControlCommand control{node.kind, node.label, std::nullopt, node.isInverted, node.loop};
    if (node.condition != kNoTensor) {
        control.condition = context.home(node.condition);
    }
    context.list.addControl(control);
}

}  // namespace vnpu::driver

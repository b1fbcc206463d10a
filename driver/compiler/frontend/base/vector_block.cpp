// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_block.h"

#include <utility>
#include <vector>

namespace vnpu::driver {
namespace {

/// One dimension of the index space with every operand's stride along it.
struct Axis {
    std::uint32_t extent = 1;
    std::vector<std::uint64_t> strides;
};

}  // namespace

Checked<Shape> broadcastBlock(const Tensor& a, const Tensor& b) {
    auto shape = broadcast(a.shape, b.shape);
    if (shape && shape->size() > 4) {
        return untiled();
    }
    return shape;
}

BlockOperand broadcastOperand(const GraphBuilder& builder, TensorId tensor, const Shape4& dims) {
    const Shape4 extents = padToFour(builder.tensor(tensor).shape);
    BlockOperand operand{tensor, 0, denseStrides(extents)};
    for (std::size_t d = 0; d < 4; ++d) {
        operand.strides[d] = extents[d] == 1 && dims[d] != 1 ? 0 : operand.strides[d];
    }
    return operand;
}

void joinDimensions(BlockNode& node) {
    std::vector<Axis> axes;
    for (std::size_t d = 0; d < 4; ++d) {
        if (node.dims[d] == 1) {
            continue;
        }
        Axis axis{node.dims[d], std::vector<std::uint64_t>(node.operands.size())};
        bool canJoin = !axes.empty();
        for (std::size_t k = 0; k < node.operands.size(); ++k) {
            axis.strides[k] = node.operands[k].strides[d];
            canJoin = canJoin && axes.back().strides[k] == axis.strides[k] * axis.extent;
        }
        if (canJoin) {
            axis.extent *= axes.back().extent;
            axes.pop_back();
        }
        axes.push_back(std::move(axis));
    }
    axes.insert(axes.begin(), 4 - axes.size(),
                {1, std::vector<std::uint64_t>(node.operands.size())});
    for (std::size_t d = 0; d < 4; ++d) {
        node.dims[d] = axes[d].extent;
        for (std::size_t k = 0; k < node.operands.size(); ++k) {
            node.operands[k].strides[d] = axes[d].strides[k];
        }
    }
}

hw::OutputStage outputStage(const Tensor& output, Activation activation,
                            const QuantizedMultiplier& scaling) {
    const ClampRange clamp =
            activationRange(activation, output.elementType(), output.scale, output.zeroPoint);
    hw::OutputStage stage{};
    stage.clampMin = clamp.min;
    stage.clampMax = clamp.max;
    if (output.elementType() != hw::ElementType::kFloat32) {
        stage.zeroPoint = output.zeroPoint;
        stage.multiplier = scaling.multiplier;
        stage.shift = scaling.shift;
    }
    return stage;
}

hw::VecUnary requantization(const Tensor& from, const Tensor& to, Activation activation) {
    hw::VecUnary work{};
    work.inputType = from.elementType();
    work.outputType = to.elementType();
    work.kind = hw::UnaryKind::kRequantize;
    work.inputZeroPoint = from.zeroPoint;
    work.outputStage =
            outputStage(to, activation, quantizeMultiplier(double{from.scale} / double{to.scale}));
    return work;
}

BlockNode makeUnary(const GraphBuilder& builder, TensorId input, TensorId output,
                    const hw::VecUnary& prototype) {
    const auto elements = static_cast<std::uint32_t>(elementCount(builder.tensor(input).shape));
    BlockNode node;
    node.dims = {1, 1, 1, elements};
    node.operands = {{input, 0, {0, 0, elements, 1}}, {output, 0, {0, 0, elements, 1}}};
    node.prototype = prototype;
    return node;
}

}  // namespace vnpu::driver

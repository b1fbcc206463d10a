// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_block.h"

#include <fmt/format.h>

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
        return unsupported(
                fmt::format("result has shape {}, expected rank up to 4", toText(*shape)));
    }
    return shape;
}

std::array<std::uint64_t, 4> broadcastStrides(const Shape4& operand, const Shape4& dims) {
    const Shape4 dense = denseStrides(operand);
    std::array<std::uint64_t, 4> strides{};
    for (std::size_t d = 0; d < 4; ++d) {
        strides[d] = operand[d] == 1 && dims[d] != 1 ? 0 : dense[d];
    }
    return strides;
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

BlockNode makeUnary(const GraphBuilder& builder, TensorId input, TensorId output,
                    const hw::VecUnary& prototype, const UnaryLayout& layout) {
    const auto elements = static_cast<std::uint32_t>(elementCount(builder.tensor(input).shape));
    const std::uint32_t rowElements = elements / layout.rows;
    BlockNode node;
    node.dims = {1, 1, layout.rows, rowElements};
    const std::uint64_t outputRowStride =
            layout.outputRowStride == 0 ? rowElements : layout.outputRowStride;
    node.operands.push_back({input, 0, {0, 0, rowElements, 1}});
    node.operands.push_back({output, layout.outputOffset, {0, 0, outputRowStride, 1}});
    node.prototype = prototype;
    return node;
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/lowering.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// Element strides of an operand over the broadcast dimensions: 0 along those where it has one
/// element.
std::array<std::uint64_t, 4> broadcastStrides(const Shape4& operand, const Shape4& dims) {
    const Shape4 dense = denseStrides(operand);
    std::array<std::uint64_t, 4> strides{};
    for (std::size_t d = 0; d < 4; ++d) {
        strides[d] = operand[d] == 1 && dims[d] != 1 ? 0 : dense[d];
    }
    return strides;
}

/// One dimension of the index space with every operand's stride along it.
struct Axis {
    std::uint32_t extent = 1;
    std::array<std::uint64_t, 3> strides{};
};

/// Drops dimensions of one element and joins neighbours over which every operand walks evenly, so
/// that blocks become long rows.
void joinDimensions(BlockNode& node) {
    std::vector<Axis> axes;
    for (std::size_t d = 0; d < 4; ++d) {
        if (node.dims[d] == 1) {
            continue;
        }
        Axis axis{node.dims[d], {}};
        bool canJoin = !axes.empty();
        for (std::size_t k = 0; k < node.operands.size(); ++k) {
            axis.strides[k] = node.operands[k].strides[d];
            canJoin = canJoin && axes.back().strides[k] == axis.strides[k] * axis.extent;
        }
        if (canJoin) {
            axis.extent *= axes.back().extent;
            axes.pop_back();
        }
        axes.push_back(axis);
    }
    axes.insert(axes.begin(), 4 - axes.size(), Axis{});
    for (std::size_t d = 0; d < 4; ++d) {
        node.dims[d] = axes[d].extent;
        for (std::size_t k = 0; k < node.operands.size(); ++k) {
            node.operands[k].strides[d] = axes[d].strides[k];
        }
    }
}

hw::VecEltwise arithmetic(const Tensor& a, const Tensor& b, const Tensor& output,
                          hw::EltwiseKind kind, Activation activation) {
    hw::VecEltwise work{};
    work.type = output.elementType();
    work.kind = kind;
    QuantizedMultiplier scaling;
    if (work.type != hw::ElementType::kFloat32) {
        work.inputZeroPoint[0] = a.zeroPoint;
        work.inputZeroPoint[1] = b.zeroPoint;
        if (kind == hw::EltwiseKind::kAdd) {
            const AddMultipliers add = addMultipliers(a.scale, b.scale, output.scale);
            for (int i = 0; i < 2; ++i) {
                work.inputMultiplier[i] = add.input[i].multiplier;
                work.inputShift[i] = add.input[i].shift;
            }
            work.leftShift = AddMultipliers::kLeftShift;
            scaling = add.output;
        } else {
            scaling = mulMultiplier(a.scale, b.scale, output.scale);
        }
    }
    work.outputStage = outputStage(output, activation, scaling);
    return work;
}

}  // namespace

Checked<void> lowerElementwise(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    const auto activation = readActivation(operation, 2);
    if (!activation) {
        return tl::unexpected(activation.error());
    }
    const auto a = builder.input(operation, 0, "first operand");
    const auto b = builder.input(operation, 1, "second operand");
    if (!a || !b) {
        return tl::unexpected(!a ? a.error() : b.error());
    }
    VNPU_TRY(requireType(builder.tensor(*a), "first operand", dataTypes()));
    const OperandType type[] = {builder.tensor(*a).type};
    VNPU_TRY(requireType(builder.tensor(*b), "second operand", type));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", type));
    const auto shape = broadcast(builder.tensor(*a).shape, builder.tensor(*b).shape);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    if (shape->size() > 4) {
        return unsupported(
                fmt::format("result has shape {}, expected rank up to 4", toText(*shape)));
    }
    const auto output = builder.output(operation, *shape);
    if (!output) {
        return tl::unexpected(output.error());
    }

    BlockNode node;
    node.dims = padToFour(*shape);
    for (const TensorId tensor : {*a, *b, *output}) {
        const Shape4 dims = padToFour(builder.tensor(tensor).shape);
        node.operands.push_back({tensor, 0, broadcastStrides(dims, node.dims)});
    }
    joinDimensions(node);
    node.prototype =
            arithmetic(builder.tensor(*a), builder.tensor(*b), builder.tensor(*output),
                       operation.operation().type == OperationType::ADD ? hw::EltwiseKind::kAdd
                                                                        : hw::EltwiseKind::kMul,
                       *activation);
    builder.add(operation.index(), std::move(node));
    return {};
}

}  // namespace vnpu::driver

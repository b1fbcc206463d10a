// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/movement.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/plan/cost_model.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandType;

namespace {

// chosen: a strided copy costs a burst for each row on either side, while the DSP reads and writes
// memory once; beyond this factor the DSP does the work
constexpr double kMostSlowdown = 8;
// chosen: below this size latencies weigh more than bursts
constexpr double kSmallBusBytes = 65536;
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 24;  // chosen: of one command
constexpr std::uint64_t kMostCommands = 4096;                // chosen: of one operation
constexpr std::size_t kMovementCounts = 3;                   // source: hw::DmaTransfer
constexpr std::size_t kTileDimensions = 4;                   // source: hw::VecOperand

/// Orders the axes by their output strides and joins neighbors with even steps on both sides.
void join(std::vector<MoveAxis>& axes) {
    std::erase_if(axes, [](const MoveAxis& axis) { return axis.extent == 1; });
    std::stable_sort(axes.begin(), axes.end(), [](const MoveAxis& a, const MoveAxis& b) {
        return a.outputStride > b.outputStride;
    });
    std::vector<MoveAxis> joined;
    for (MoveAxis axis : axes) {
        const bool canJoin = !joined.empty() &&
                             joined.back().inputStride == axis.inputStride * axis.extent &&
                             joined.back().outputStride == axis.outputStride * axis.extent;
        if (canJoin) {
            axis.extent *= joined.back().extent;
            joined.pop_back();
        }
        joined.push_back(axis);
    }
    if (joined.empty()) {
        joined.push_back({1, 1, 1});
    }
    axes = std::move(joined);
}

bool endsInRow(const Movement& movement) {
    const MoveAxis& last = movement.axes.back();
    return last.inputStride == 1 && last.outputStride == 1;
}

std::uint64_t elementsOf(const Movement& movement) {
    return std::accumulate(
            movement.axes.begin(), movement.axes.end(), std::uint64_t{1},
            [](std::uint64_t product, const MoveAxis& axis) { return product * axis.extent; });
}

std::uint64_t rowElements(const Movement& movement) {
    return endsInRow(movement) ? movement.axes.back().extent : 1;
}

/// Whether rows shorter than a burst change their order. A tile's own transfers read and write them
/// in longer rows.
bool isTransposition(const Movement& movement, std::uint32_t elementBytes) {
    const auto& axes = movement.axes;
    const bool isTile = axes.size() > 1 && axes.size() <= kTileDimensions &&
                        std::all_of(axes.begin(), axes.end(),
                                    [](const MoveAxis& a) { return a.inputStride != 0; });
    const bool isSorted = std::is_sorted(
            axes.begin(), axes.end(),
            [](const MoveAxis& a, const MoveAxis& b) { return a.inputStride > b.inputStride; });
    return isTile && !isSorted && rowElements(movement) * elementBytes < CostModel::kBurstBytes;
}

/// The cost of a copy for the DMA, in the terms of the cost model.
struct CopyCost {
    double busBytes = 0;
    std::uint64_t commands = 1;
};

/// Moves the shortest axes to the front until one command can count the rest; the front ones take a
/// command per step.
void moveLoopsOut(Movement& movement) {
    auto& axes = movement.axes;
    const std::size_t counted = axes.size() - (endsInRow(movement) ? 1 : 0);
    for (std::size_t looped = 0; looped + kMovementCounts < counted; ++looped) {
        const auto from = axes.begin() + static_cast<std::ptrdiff_t>(looped);
        const auto to = axes.begin() + static_cast<std::ptrdiff_t>(counted);
        const auto shortest = std::min_element(
                from, to, [](const MoveAxis& a, const MoveAxis& b) { return a.extent < b.extent; });
        std::rotate(from, shortest, std::next(shortest));
    }
}

CopyCost costOf(const Movement& movement, std::uint32_t elementBytes) {
    CopyCost cost;
    const std::uint64_t row = rowElements(movement);
    cost.busBytes = 2 * CostModel::busBytes(elementsOf(movement) / row, row * elementBytes);
    const std::size_t counted = movement.axes.size() - (endsInRow(movement) ? 1 : 0);
    for (std::size_t i = 0; i + kMovementCounts < counted; ++i) {
        cost.commands *= movement.axes[i].extent;
    }
    return cost;
}

/// Whether the DMA is the right engine for all copies among the movements.
Checked<void> requireCheapCopies(const GraphBuilder& builder,
                                 const std::vector<Movement>& movements) {
    CopyCost total{0, 0};
    double wholeBytes = 0;
    for (const Movement& movement : movements) {
        const std::uint32_t element = builder.tensor(movement.input).elementBytes();
        wholeBytes += 2.0 * static_cast<double>(elementsOf(movement) * element);
        if (isTransposition(movement, element)) {
            continue;
        }
        const CopyCost cost = costOf(movement, element);
        total.busBytes += cost.busBytes;
        total.commands += cost.commands;
        const std::uint64_t rows = elementsOf(movement) / rowElements(movement) / cost.commands;
        if (rows > kMostRows) {
            return untiled();
        }
    }
    if (total.commands > kMostCommands ||
        (total.busBytes > kSmallBusBytes && total.busBytes > kMostSlowdown * wholeBytes)) {
        return untiled();
    }
    return {};
}

void addCopy(GraphBuilder& builder, std::uint32_t operation, const Movement& movement) {
    CopyNode copy;
    copy.input = movement.input;
    copy.output = movement.output;
    for (const MoveAxis& axis : movement.axes) {
        copy.dims.push_back(static_cast<std::uint32_t>(axis.extent));
        copy.inputStrides.push_back(axis.inputStride);
        copy.outputStrides.push_back(axis.outputStride);
    }
    copy.inputOffset = movement.inputOffset;
    copy.outputOffset = movement.outputOffset;
    builder.add(operation, std::move(copy));
}

/// The dimensions from the largest stride to the smallest.
std::array<std::uint8_t, kTileDimensions> orderOf(
        const std::array<std::uint64_t, kTileDimensions>& strides) {
    std::array<std::uint8_t, kTileDimensions> order{0, 1, 2, 3};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint8_t a, std::uint8_t b) { return strides[a] > strides[b]; });
    return order;
}

/// TRANSPOSE over tiles that lie as the tensors do. Dimensions are cut from the longest on, which
/// leaves rows on both sides.
void addTransposition(GraphBuilder& builder, std::uint32_t operation, const Movement& movement) {
    std::vector<MoveAxis> axes = movement.axes;
    std::stable_sort(axes.begin(), axes.end(),
                     [](const MoveAxis& a, const MoveAxis& b) { return a.extent > b.extent; });
    Shape4 dims{1, 1, 1, 1};
    BlockOperand from{movement.input, movement.inputOffset};
    BlockOperand to{movement.output, movement.outputOffset};
    for (std::size_t d = 0; d < axes.size(); ++d) {
        dims[d] = static_cast<std::uint32_t>(axes[d].extent);
        from.strides[d] = axes[d].inputStride;
        to.strides[d] = axes[d].outputStride;
    }
    from.order = orderOf(from.strides);
    to.order = orderOf(to.strides);
    std::array<std::int32_t, kTileDimensions> permutation{};
    for (std::size_t i = 0; i < kTileDimensions; ++i) {
        const std::uint8_t dimension = to.order[i];
        while (from.order[static_cast<std::size_t>(permutation[i])] != dimension) {
            ++permutation[i];
        }
    }
    VectorOperator work(builder, hw::Operator::kTranspose);
    work.input(from).int32s(permutation).output(to);
    builder.add(operation, work.node(dims, {}));
}

void addNode(GraphBuilder& builder, std::uint32_t operation, const Movement& movement) {
    if (isTransposition(movement, builder.tensor(movement.input).elementBytes())) {
        addTransposition(builder, operation, movement);
    } else {
        addCopy(builder, operation, movement);
    }
}

}  // namespace

Checked<void> addMovements(GraphBuilder& builder, const OperationReader& operation,
                           std::vector<Movement> movements,
                           const std::optional<FillNode>& background) {
    for (Movement& movement : movements) {
        join(movement.axes);
        moveLoopsOut(movement);
    }
    VNPU_TRY(requireCheapCopies(builder, movements));
    if (background) {
        builder.add(operation.index(), *background);
    }
    for (const Movement& movement : movements) {
        addNode(builder, operation.index(), movement);
    }
    return {};
}

void addMovement(GraphBuilder& builder, std::uint32_t operation, Movement movement) {
    join(movement.axes);
    addNode(builder, operation, movement);
}

void packOutput(Movement& movement) {
    std::uint64_t stride = 1;
    for (auto axis = movement.axes.rbegin(); axis != movement.axes.rend(); ++axis) {
        axis->outputStride = stride;
        stride *= axis->extent;
    }
}

Movement reversed(Movement movement) {
    std::swap(movement.input, movement.output);
    std::swap(movement.inputOffset, movement.outputOffset);
    for (MoveAxis& axis : movement.axes) {
        std::swap(axis.inputStride, axis.outputStride);
    }
    return movement;
}

std::uint32_t zeroPattern(const Tensor& tensor) {
    const bool hasZeroPoint = tensor.type == OperandType::TENSOR_QUANT8_ASYMM ||
                              tensor.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED ||
                              tensor.type == OperandType::TENSOR_QUANT16_ASYMM;
    return hasZeroPoint ? static_cast<std::uint32_t>(tensor.zeroPoint) : 0;
}

std::vector<std::uint64_t> stridesOf(std::span<const std::uint32_t> shape) {
    std::vector<std::uint64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) {
        strides[d - 1] = strides[d] * shape[d];
    }
    return strides;
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/movement.h"

#include <algorithm>
#include <array>
#include <iterator>

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
constexpr std::size_t kTileDimensions = 4;                   // source: hw::VecOperand

/// Orders the axes by their output strides and joins them where they allow it.
void join(CopyAxes& axes) {
    std::stable_sort(axes.begin(), axes.end(), [](const CopyAxis& a, const CopyAxis& b) {
        return a.outputStride > b.outputStride;
    });
    axes = joined(axes);
    if (axes.empty()) {
        axes.push_back({1, 1, 1});
    }
}

bool endsInRow(const CopyNode& movement) {
    const CopyAxis& last = movement.axes.back();
    return last.inputStride == 1 && last.outputStride == 1;
}

std::uint64_t rowElements(const CopyNode& movement) {
    return endsInRow(movement) ? movement.axes.back().extent : 1;
}

/// Whether rows shorter than a burst change their order. A tile's own transfers read and write them
/// in longer rows.
bool isTransposition(const CopyNode& movement, std::uint32_t elementBytes) {
    const auto& axes = movement.axes;
    const bool isTile = axes.size() > 1 && axes.size() <= kTileDimensions &&
                        std::all_of(axes.begin(), axes.end(),
                                    [](const CopyAxis& a) { return a.inputStride != 0; });
    const bool isSorted = std::is_sorted(
            axes.begin(), axes.end(),
            [](const CopyAxis& a, const CopyAxis& b) { return a.inputStride > b.inputStride; });
    return isTile && !isSorted && rowElements(movement) * elementBytes < CostModel::kBurstBytes;
}

/// Moves the shortest axes to the front until one command can count the rest; the front ones take a
/// command per step.
void moveLoopsOut(CopyNode& movement) {
    auto& axes = movement.axes;
    const std::size_t counted = axes.size() - (endsInRow(movement) ? 1 : 0);
    for (std::size_t looped = 0; looped + kCopyCounts < counted; ++looped) {
        const auto from = axes.begin() + static_cast<std::ptrdiff_t>(looped);
        const auto to = axes.begin() + static_cast<std::ptrdiff_t>(counted);
        const auto shortest = std::min_element(
                from, to, [](const CopyAxis& a, const CopyAxis& b) { return a.extent < b.extent; });
        std::rotate(from, shortest, std::next(shortest));
    }
}

/// Whether the DMA is the right engine for all copies among the movements.
Checked<void> requireCheapCopies(const GraphBuilder& builder,
                                 const std::vector<CopyNode>& movements) {
    double busBytes = 0;
    double wholeBytes = 0;
    std::uint64_t commands = 0;
    for (const CopyNode& movement : movements) {
        const std::uint32_t element = builder.tensor(movement.input).elementBytes();
        const std::uint64_t elements = elementsOf(movement.axes);
        wholeBytes += 2.0 * static_cast<double>(elements * element);
        if (isTransposition(movement, element)) {
            continue;
        }
        const std::uint64_t row = rowElements(movement);
        const std::uint64_t own = commandsOf(movement.axes, endsInRow(movement));
        busBytes += 2 * CostModel::busBytes(elements / row, row * element);
        commands += own;
        if (elements / row / own > kMostRows) {
            return untiled();
        }
    }
    if (commands > kMostCommands ||
        (busBytes > kSmallBusBytes && busBytes > kMostSlowdown * wholeBytes)) {
        return untiled();
    }
    return {};
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
void addTransposition(GraphBuilder& builder, std::uint32_t operation, const CopyNode& movement) {
    CopyAxes axes = movement.axes;
    std::stable_sort(axes.begin(), axes.end(),
                     [](const CopyAxis& a, const CopyAxis& b) { return a.extent > b.extent; });
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

void addNode(GraphBuilder& builder, std::uint32_t operation, const CopyNode& movement) {
    if (isTransposition(movement, builder.tensor(movement.input).elementBytes())) {
        addTransposition(builder, operation, movement);
    } else {
        builder.add(operation, movement);
    }
}

}  // namespace

Checked<void> addMovements(GraphBuilder& builder, const OperationReader& operation,
                           std::vector<CopyNode> movements,
                           const std::optional<FillNode>& background) {
    for (CopyNode& movement : movements) {
        join(movement.axes);
        moveLoopsOut(movement);
    }
    VNPU_TRY(requireCheapCopies(builder, movements));
    if (background) {
        builder.add(operation.index(), *background);
    }
    for (const CopyNode& movement : movements) {
        addNode(builder, operation.index(), movement);
    }
    return {};
}

void addMovement(GraphBuilder& builder, std::uint32_t operation, CopyNode movement) {
    join(movement.axes);
    addNode(builder, operation, movement);
}

void packOutput(CopyNode& movement) {
    std::uint64_t stride = 1;
    for (auto axis = movement.axes.rbegin(); axis != movement.axes.rend(); ++axis) {
        axis->outputStride = stride;
        stride *= axis->extent;
    }
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

// SPDX-License-Identifier: Apache-2.0
// Operations that trade rows and columns for channels or batches, in either layout.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/data_movement.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// A batch of images in either layout, with its element strides.
struct BlockedImage {
    std::uint64_t batches = 1, rows = 1, columns = 1, channels = 1;
    bool isNchw = false;

    Shape shape() const {
        const auto narrow = [](std::uint64_t extent) { return static_cast<std::uint32_t>(extent); };
        return isNchw ? Shape{narrow(batches), narrow(channels), narrow(rows), narrow(columns)}
                      : Shape{narrow(batches), narrow(rows), narrow(columns), narrow(channels)};
    }
    bool isRepresentable() const {
        constexpr std::uint64_t kMost = 0x7FFFFFFF;  // chosen: as of other shapes
        return batches <= kMost && rows <= kMost && columns <= kMost && channels <= kMost;
    }
    std::uint64_t batchStride() const { return rows * columns * channels; }
    std::uint64_t rowStride() const { return isNchw ? columns : columns * channels; }
    std::uint64_t columnStride() const { return isNchw ? 1 : channels; }
    std::uint64_t channelStride() const { return isNchw ? rows * columns : 1; }
};

constexpr std::uint64_t kMostPlaces = 4096;  // chosen: each place of a block takes its own copy

struct BlockSize {
    std::uint64_t rows = 1, columns = 1;
    std::uint64_t area() const { return rows * columns; }
};

enum class Direction : std::uint8_t { kToSmall, kToLarge };

struct ImageInput {
    TensorId tensor = kNoTensor;
    BlockedImage image;
};

Checked<ImageInput> readImage(GraphBuilder& builder, const OperationReader& operation,
                              std::size_t layoutInput) {
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto isNchw, operation.boolean(layoutInput, "NCHW layout", false));
    VNPU_TRY_ASSIGN(const auto g, imageGeometry(builder.tensor(input), isNchw));
    return ImageInput{input, {g.batches, g.inputHeight, g.inputWidth, g.inputChannels, isNchw}};
}

Checked<BlockSize> readSquareBlock(const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto size, operation.extent(1, "block size", 1));
    return BlockSize{size, size};
}

Checked<BlockSize> readBlock(const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto sizes, operation.int32s(1, "block sizes"));
    constexpr std::int32_t kMost = 65535;  // chosen: keeps the area within 32 bits
    const bool isValid = sizes.size() == 2 &&
                         std::all_of(sizes.begin(), sizes.end(),
                                     [](std::int32_t size) { return size >= 1 && size <= kMost; });
    if (!isValid) {
        return unsupported("block sizes are not two positive numbers");
    }
    return BlockSize{static_cast<std::uint32_t>(sizes[0]), static_cast<std::uint32_t>(sizes[1])};
}

tl::unexpected<Refusal> refuseBlock(const BlockSize& block, const BlockedImage& image) {
    return unsupported(fmt::format("blocks of {} x {} do not go into {}", block.rows, block.columns,
                                   toText(image.shape())));
}

/// Moves every pixel of a block to or from its channels of the small image.
Checked<void> tradeChannels(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                            const BlockedImage& large, const BlockedImage& small,
                            const BlockSize& block, Direction direction) {
    const bool isLarge = direction == Direction::kToLarge;
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, isLarge ? large.shape() : small.shape()));
    const std::uint64_t perPixel = small.channelStride() * large.channels;
    Movement movement{input,
                      output,
                      {{large.batches, large.batchStride(), small.batchStride()},
                       {small.rows, large.rowStride() * block.rows, small.rowStride()},
                       {block.rows, large.rowStride(), perPixel * block.columns},
                       {small.columns, large.columnStride() * block.columns, small.columnStride()},
                       {block.columns, large.columnStride(), perPixel},
                       {large.channels, large.channelStride(), small.channelStride()}},
                      0,
                      0};
    if (isLarge) {
        for (MoveAxis& axis : movement.axes) {
            std::swap(axis.inputStride, axis.outputStride);
        }
    }
    return addMovements(builder, operation, {movement});
}

/// The rows (or columns) of a small image that one place of a block fills from the large image,
/// behind `before` rows of padding.
struct InsideRange {
    std::uint64_t first = 0;  // in the small image
    std::uint64_t count = 0;
    std::uint64_t source = 0;  // of `first`, in the large image
};

InsideRange insideOf(std::uint64_t place, std::uint64_t block, std::uint64_t before,
                     std::uint64_t extent) {
    InsideRange range;
    range.first = before > place ? (before - place + block - 1) / block : 0;
    range.source = range.first * block + place - before;
    range.count = range.source < extent ? (extent - range.source + block - 1) / block : 0;
    return range;
}

/// One image of the small batch per place of a block.
std::vector<Movement> tradeBatches(const BlockedImage& large, const BlockedImage& small,
                                   const BlockSize& block, std::uint64_t top, std::uint64_t left) {
    std::vector<Movement> movements;
    for (std::uint64_t place = 0; place < block.area(); ++place) {
        const InsideRange rows = insideOf(place / block.columns, block.rows, top, large.rows);
        const InsideRange columns =
                insideOf(place % block.columns, block.columns, left, large.columns);
        if (rows.count == 0 || columns.count == 0) {
            continue;
        }
        movements.push_back(
                {kNoTensor,
                 kNoTensor,
                 {{large.batches, large.batchStride(), small.batchStride()},
                  {rows.count, large.rowStride() * block.rows, small.rowStride()},
                  {columns.count, large.columnStride() * block.columns, small.columnStride()},
                  {large.channels, large.channelStride(), small.channelStride()}},
                 rows.source * large.rowStride() + columns.source * large.columnStride(),
                 place * large.batches * small.batchStride() + rows.first * small.rowStride() +
                         columns.first * small.columnStride()});
    }
    return movements;
}

Checked<void> lowerSpaceToDepth(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 3));
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 2));
    VNPU_TRY_ASSIGN(const auto block, readSquareBlock(operation));
    const BlockedImage& large = input.image;
    const BlockedImage small{large.batches, large.rows / block.rows, large.columns / block.columns,
                             large.channels * block.area(), large.isNchw};
    if (large.rows % block.rows != 0 || large.columns % block.columns != 0 ||
        !small.isRepresentable()) {
        return refuseBlock(block, large);
    }
    return tradeChannels(builder, operation, input.tensor, large, small, block,
                         Direction::kToSmall);
}

Checked<void> lowerDepthToSpace(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 3));
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 2));
    VNPU_TRY_ASSIGN(const auto block, readSquareBlock(operation));
    const BlockedImage& small = input.image;
    const BlockedImage large{small.batches, small.rows * block.rows, small.columns * block.columns,
                             small.channels / block.area(), small.isNchw};
    if (small.channels % block.area() != 0 || !large.isRepresentable()) {
        return refuseBlock(block, small);
    }
    return tradeChannels(builder, operation, input.tensor, large, small, block,
                         Direction::kToLarge);
}

Checked<void> lowerBatchToSpace(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 3));
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 2));
    VNPU_TRY_ASSIGN(const auto block, readBlock(operation));
    const BlockedImage& small = input.image;
    const BlockedImage large{small.batches / block.area(), small.rows * block.rows,
                             small.columns * block.columns, small.channels, small.isNchw};
    if (small.batches % block.area() != 0 || !large.isRepresentable() ||
        block.area() > kMostPlaces) {
        return refuseBlock(block, small);
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, large.shape()));
    std::vector<Movement> movements = tradeBatches(large, small, block, 0, 0);
    for (Movement& movement : movements) {
        movement.input = input.tensor;
        movement.output = output;
        std::swap(movement.inputOffset, movement.outputOffset);
        for (MoveAxis& axis : movement.axes) {
            std::swap(axis.inputStride, axis.outputStride);
        }
    }
    return addMovements(builder, operation, std::move(movements));
}

Checked<void> lowerSpaceToBatch(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 4));
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 3));
    VNPU_TRY_ASSIGN(const auto block, readBlock(operation));
    VNPU_TRY_ASSIGN(const auto paddings, operation.int32s(2, "paddings"));
    constexpr std::int32_t kMost = 1 << 28;  // chosen: keeps sums within 32 bits
    const bool isValid = paddings.size() == 4 &&
                         std::all_of(paddings.begin(), paddings.end(), [](std::int32_t padding) {
                             return padding >= 0 && padding <= kMost;
                         });
    if (!isValid) {
        return unsupported("paddings are not four numbers of 0 or more");
    }
    const auto padding = [&](std::size_t i) { return static_cast<std::uint32_t>(paddings[i]); };
    const BlockedImage& large = input.image;
    const std::uint64_t rows = large.rows + padding(0) + padding(1);
    const std::uint64_t columns = large.columns + padding(2) + padding(3);
    const BlockedImage small{large.batches * block.area(), rows / block.rows,
                             columns / block.columns, large.channels, large.isNchw};
    if (rows % block.rows != 0 || columns % block.columns != 0 || !small.isRepresentable() ||
        block.area() > kMostPlaces) {
        return refuseBlock(block, large);
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, small.shape()));
    std::vector<Movement> movements = tradeBatches(large, small, block, padding(0), padding(2));
    for (Movement& movement : movements) {
        movement.input = input.tensor;
        movement.output = output;
    }
    std::optional<FillNode> background;
    if (rows != large.rows || columns != large.columns) {
        background = FillNode{output, zeroPattern(builder.tensor(output))};
    }
    return addMovements(builder, operation, std::move(movements), background);
}

}  // namespace

LoweringRows spaceRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::SPACE_TO_DEPTH, {lowerSpaceToDepth}},
            {OperationType::DEPTH_TO_SPACE, {lowerDepthToSpace}},
            {OperationType::SPACE_TO_BATCH_ND, {lowerSpaceToBatch}},
            {OperationType::BATCH_TO_SPACE_ND, {lowerBatchToSpace}},
    };
    return kRows;
}

}  // namespace vnpu::driver

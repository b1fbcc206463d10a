// SPDX-License-Identifier: Apache-2.0
// Operations that trade rows and columns for channels or batches, in either layout.
#include <algorithm>
#include <optional>

#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/families.h"

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

struct ImageInput {
    TensorId tensor = kNoTensor;
    BlockedImage image;
};

Checked<ImageInput> readImage(GraphBuilder& builder, const OperationReader& operation,
                              std::size_t layoutInput) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto isNchw, operation.boolean(layoutInput));
    VNPU_TRY_ASSIGN(const auto g, imageGeometry(builder.tensor(input), isNchw));
    return ImageInput{input, {g.batches, g.inputHeight, g.inputWidth, g.inputChannels, isNchw}};
}

Checked<BlockSize> readSquareBlock(const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto size, operation.extent(1, 1));
    return BlockSize{size, size};
}

Checked<BlockSize> readBlock(const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto sizes, operation.int32s(1));
    const bool isValid =
            sizes.size() == 2 && std::all_of(sizes.begin(), sizes.end(), [](std::int32_t size) {
                return size >= 1 && size <= static_cast<std::int32_t>(kMostWindowExtent);
            });
    if (!isValid) {
        return untiled();
    }
    return BlockSize{static_cast<std::uint32_t>(sizes[0]), static_cast<std::uint32_t>(sizes[1])};
}

/// Every pixel of a block of the large image, and its channels of the small one.
CopyNode tradeChannels(const BlockedImage& large, const BlockedImage& small,
                       const BlockSize& block) {
    const std::uint64_t perPixel = small.channelStride() * large.channels;
    return {kNoTensor,
            kNoTensor,
            {{large.batches, large.batchStride(), small.batchStride()},
             {small.rows, large.rowStride() * block.rows, small.rowStride()},
             {block.rows, large.rowStride(), perPixel * block.columns},
             {small.columns, large.columnStride() * block.columns, small.columnStride()},
             {block.columns, large.columnStride(), perPixel},
             {large.channels, large.channelStride(), small.channelStride()}}};
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

/// The pixels at one place of all blocks of the large image, and their image of the small batch.
std::vector<CopyNode> tradeBatches(const BlockedImage& large, const BlockedImage& small,
                                   const BlockSize& block, std::uint64_t top, std::uint64_t left) {
    std::vector<CopyNode> movements;
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

/// Moves the pixels from the input into the output, of the given shape; all other pixels of the
/// output are zero.
Checked<void> addPixels(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                        const Shape& shape, std::vector<CopyNode> pixels, bool isPadded = false) {
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    for (CopyNode& movement : pixels) {
        movement.input = input;
        movement.output = output;
    }
    std::optional<FillNode> background;
    if (isPadded) {
        background = FillNode{output, zeroPattern(builder.tensor(output))};
    }
    return addMovements(builder, operation, std::move(pixels), background);
}

Checked<void> lowerSpaceToDepth(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 2));
    VNPU_TRY_ASSIGN(const auto block, readSquareBlock(operation));
    const BlockedImage& large = input.image;
    const BlockedImage small{large.batches, large.rows / block.rows, large.columns / block.columns,
                             large.channels * block.area(), large.isNchw};
    if (large.rows % block.rows != 0 || large.columns % block.columns != 0 ||
        !small.isRepresentable()) {
        return untiled();
    }
    return addPixels(builder, operation, input.tensor, small.shape(),
                     {tradeChannels(large, small, block)});
}

Checked<void> lowerDepthToSpace(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 2));
    VNPU_TRY_ASSIGN(const auto block, readSquareBlock(operation));
    const BlockedImage& small = input.image;
    const BlockedImage large{small.batches, small.rows * block.rows, small.columns * block.columns,
                             small.channels / block.area(), small.isNchw};
    if (small.channels % block.area() != 0 || !large.isRepresentable()) {
        return untiled();
    }
    return addPixels(builder, operation, input.tensor, large.shape(),
                     {reversed(tradeChannels(large, small, block))});
}

Checked<void> lowerBatchToSpace(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 2));
    VNPU_TRY_ASSIGN(const auto block, readBlock(operation));
    const BlockedImage& small = input.image;
    const BlockedImage large{small.batches / block.area(), small.rows * block.rows,
                             small.columns * block.columns, small.channels, small.isNchw};
    if (small.batches % block.area() != 0 || !large.isRepresentable() ||
        block.area() > kMostPlaces) {
        return untiled();
    }
    std::vector<CopyNode> pixels = tradeBatches(large, small, block, 0, 0);
    std::transform(pixels.begin(), pixels.end(), pixels.begin(), reversed);
    return addPixels(builder, operation, input.tensor, large.shape(), std::move(pixels));
}

Checked<void> lowerSpaceToBatch(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, readImage(builder, operation, 3));
    VNPU_TRY_ASSIGN(const auto block, readBlock(operation));
    VNPU_TRY_ASSIGN(const auto paddings, operation.int32s(2));
    constexpr std::int32_t kMost = 1 << 28;  // chosen: keeps sums within 32 bits
    const bool isValid = paddings.size() == 4 &&
                         std::all_of(paddings.begin(), paddings.end(), [](std::int32_t padding) {
                             return padding >= 0 && padding <= kMost;
                         });
    if (!isValid) {
        return untiled();
    }
    const auto padding = [&](std::size_t i) { return static_cast<std::uint32_t>(paddings[i]); };
    const BlockedImage& large = input.image;
    const std::uint64_t rows = large.rows + padding(0) + padding(1);
    const std::uint64_t columns = large.columns + padding(2) + padding(3);
    const BlockedImage small{large.batches * block.area(), rows / block.rows,
                             columns / block.columns, large.channels, large.isNchw};
    if (rows % block.rows != 0 || columns % block.columns != 0 || !small.isRepresentable() ||
        block.area() > kMostPlaces) {
        return untiled();
    }
    return addPixels(builder, operation, input.tensor, small.shape(),
                     tradeBatches(large, small, block, padding(0), padding(2)),
                     rows != large.rows || columns != large.columns);
}

}  // namespace

LoweringRows spaceRows() {
    return {{OperationType::SPACE_TO_DEPTH, lowerSpaceToDepth},
            {OperationType::DEPTH_TO_SPACE, lowerDepthToSpace},
            {OperationType::SPACE_TO_BATCH_ND, lowerSpaceToBatch},
            {OperationType::BATCH_TO_SPACE_ND, lowerBatchToSpace}};
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
// Operators that move rows and columns to channels or batches or back, in either layout.
#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/image_layout.h"
#include "hw_model/kernels/operators/movement/padding_value.h"
#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

struct BlockSize {
    std::uint32_t rows;
    std::uint32_t columns;

    std::uint64_t area() const { return std::uint64_t{rows} * columns; }
};

/// A large image and a small one, which stores the pixels of each block of the large one along its
/// channels or its batches.
struct BlockLayout {
    ImageShape small;
    ImageStrides largeStrides;
    ImageStrides smallStrides;
    std::uint64_t batches = 0;  // of the image that has fewer
    std::uint64_t channels = 0;
    BlockSize block{};
    std::int64_t perPixel = 0;  // elements of the small image between consecutive pixels of a block
    bool isNchw = false;
};

enum class Direction { kToLarge, kToSmall };

/// Settles the output as `to` and moves every pixel of a block between the two images.
JobStatus tradePixels(OperatorCall& call, const BlockLayout& layout, Direction direction,
                      const Dimensions& to) {
    CopyAxes axes;
    const auto add = [&](std::uint64_t count, std::int64_t large, std::int64_t small) {
        const bool isLarge = direction == Direction::kToLarge;
        axes.add(count, isLarge ? small : large, isLarge ? large : small);
    };
    const ImageStrides& large = layout.largeStrides;
    const ImageStrides& small = layout.smallStrides;
    const auto addChannels = [&] { add(layout.channels, large.channel, small.channel); };
    add(layout.batches, large.batch, small.batch);
    if (layout.isNchw) {
        addChannels();
    }
    add(layout.small.rows, large.row * layout.block.rows, small.row);
    add(layout.block.rows, large.row, layout.perPixel * layout.block.columns);
    add(layout.small.columns, large.column * layout.block.columns, small.column);
    add(layout.block.columns, large.column, layout.perPixel);
    if (!layout.isNchw) {
        addChannels();
    }
    return copyInto(call, to, axes);
}

/// Whether `blocks` blocks of `extent` fit a dimension.
bool fits(std::uint32_t extent, std::uint64_t blocks) {
    return blocks <= UINT32_MAX && extent * blocks <= UINT32_MAX;
}

std::optional<BlockSize> squareBlock(OperatorCall& call) {
    const std::int32_t size = call.int32(1);
    if (size < 1) {
        return call.refuse(fmt::format("the block has {} rows, expected 1 or more", size));
    }
    return BlockSize{static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size)};
}

std::optional<BlockSize> givenBlock(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto sizes, int32List(call, 1, 2));
    if (sizes[0] < 1 || sizes[1] < 1) {
        return call.refuse(
                fmt::format("the block has {} rows and {} columns, expected "
                            "1 or more",
                            sizes[0], sizes[1]));
    }
    return BlockSize{static_cast<std::uint32_t>(sizes[0]), static_cast<std::uint32_t>(sizes[1])};
}

JobStatus refuseBlock(OperatorCall& call, const BlockSize& block) {
    return call.refuse(fmt::format("blocks of {} rows and {} columns do not go into {}", block.rows,
                                   block.columns, describe(call.input(0).dimensions)));
}

/// Moves every pixel of a block into its channels.
JobStatus tradeChannels(OperatorCall& call, const ImageShape& large, const ImageShape& small,
                        const BlockSize& block, bool isNchw, Direction direction) {
    const ImageStrides smallStrides(small, isNchw);
    return tradePixels(call,
                       {small, ImageStrides(large, isNchw), smallStrides, large.batches,
                        large.channels, block, smallStrides.channel * large.channels, isNchw},
                       direction,
                       (direction == Direction::kToLarge ? large : small).dimensions(isNchw));
}

/// The rows (or columns) of a small image, for one position in a block, that come from the large
/// image.
struct InsideRange {
    std::int64_t first;  // in the small image
    std::int64_t count;
    std::int64_t source;  // of `first`, in the large image

    InsideRange(std::int64_t place, std::int64_t block, std::int64_t before, std::int64_t extent,
                std::int64_t smallExtent) {
        const std::int64_t reach = before - place;  // of the padding
        first = reach > 0 ? (reach + block - 1) / block : 0;
        source = first * block - reach;
        const std::int64_t left = source < extent ? (extent - source + block - 1) / block : 0;
        count = std::max<std::int64_t>(std::min(left, smallExtent - first), 0);
    }
};

struct Paddings {
    std::int32_t top, bottom, left, right;

    bool areValid() const { return top >= 0 && bottom >= 0 && left >= 0 && right >= 0; }
};

/// Copies one image of the result for each position in a block.
void copyPlaces(const Tensor& input, const ImageShape& from, const ImageShape& to,
                const BlockSize& block, const Paddings& paddings, bool isNchw, std::byte* out) {
    const ImageStrides fromStrides(from, isNchw);
    const ImageStrides toStrides(to, isNchw);
    const std::int64_t size = elementBytes(input.type);
    for (std::uint64_t place = 0; place < block.area(); ++place) {
        const InsideRange rows(static_cast<std::int64_t>(place / block.columns), block.rows,
                               paddings.top, from.rows, to.rows);
        const InsideRange columns(static_cast<std::int64_t>(place % block.columns), block.columns,
                                  paddings.left, from.columns, to.columns);
        if (rows.count == 0 || columns.count == 0) {
            continue;
        }
        CopyAxes axes;
        axes.add(from.batches, fromStrides.batch, toStrides.batch);
        if (isNchw) {
            axes.add(from.channels, fromStrides.channel, toStrides.channel);
        }
        axes.add(static_cast<std::uint64_t>(rows.count), fromStrides.row * block.rows,
                 toStrides.row);
        axes.add(static_cast<std::uint64_t>(columns.count), fromStrides.column * block.columns,
                 toStrides.column);
        if (!isNchw) {
            axes.add(from.channels, fromStrides.channel, toStrides.channel);
        }
        const std::int64_t source =
                rows.source * fromStrides.row + columns.source * fromStrides.column;
        const std::int64_t target =
                static_cast<std::int64_t>(place) * from.batches * toStrides.batch +
                rows.first * toStrides.row + columns.first * toStrides.column;
        copyStrided(axes, input.data + source * size, out + target * size,
                    elementBytes(input.type));
    }
}

JobStatus depthToSpace(OperatorCall& call) {
    const bool isNchw = call.flag(2);
    const ImageShape small = ImageShape::of(call.input(0).dimensions, isNchw);
    VNPU_TRY_ASSIGN(const auto block, squareBlock(call));
    if (small.channels % block.area() != 0 || !fits(small.rows, block.rows) ||
        !fits(small.columns, block.columns)) {
        return refuseBlock(call, block);
    }
    const ImageShape large{small.batches, small.rows * block.rows, small.columns * block.columns,
                           static_cast<std::uint32_t>(small.channels / block.area())};
    return tradeChannels(call, large, small, block, isNchw, Direction::kToLarge);
}

JobStatus spaceToDepth(OperatorCall& call) {
    const bool isNchw = call.flag(2);
    const ImageShape large = ImageShape::of(call.input(0).dimensions, isNchw);
    VNPU_TRY_ASSIGN(const auto block, squareBlock(call));
    if (large.rows % block.rows != 0 || large.columns % block.columns != 0 ||
        !fits(large.channels, block.area())) {
        return refuseBlock(call, block);
    }
    const ImageShape small{large.batches, large.rows / block.rows, large.columns / block.columns,
                           static_cast<std::uint32_t>(large.channels * block.area())};
    return tradeChannels(call, large, small, block, isNchw, Direction::kToSmall);
}

JobStatus batchToSpace(OperatorCall& call) {
    const bool isNchw = call.flag(2);
    const Tensor& input = call.input(0);
    const ImageShape small = ImageShape::of(input.dimensions, isNchw);
    VNPU_TRY_ASSIGN(const auto block, givenBlock(call));
    if (small.batches % block.area() != 0 || !fits(small.rows, block.rows) ||
        !fits(small.columns, block.columns)) {
        return refuseBlock(call, block);
    }
    const ImageShape large{static_cast<std::uint32_t>(small.batches / block.area()),
                           small.rows * block.rows, small.columns * block.columns, small.channels};
    const ImageStrides smallStrides(small, isNchw);
    return tradePixels(call,
                       {small, ImageStrides(large, isNchw), smallStrides, large.batches,
                        large.channels, block, smallStrides.batch * large.batches, isNchw},
                       Direction::kToLarge, large.dimensions(isNchw));
}

JobStatus spaceToBatch(OperatorCall& call) {
    const bool isNchw = call.flag(3);
    const Tensor& input = call.input(0);
    const ImageShape from = ImageShape::of(input.dimensions, isNchw);
    VNPU_TRY_ASSIGN(const auto block, givenBlock(call));
    VNPU_TRY_ASSIGN(const auto pairs, int32List(call, 2, 4));
    const Paddings paddings{pairs[0], pairs[1], pairs[2], pairs[3]};
    const std::int64_t rows = std::int64_t{from.rows} + paddings.top + paddings.bottom;
    const std::int64_t columns = std::int64_t{from.columns} + paddings.left + paddings.right;
    if (!paddings.areValid() || rows > UINT32_MAX || columns > UINT32_MAX ||
        rows % block.rows != 0 || columns % block.columns != 0 ||
        !fits(from.batches, block.area())) {
        return refuseBlock(call, block);
    }
    const ImageShape to{static_cast<std::uint32_t>(from.batches * block.area()),
                        static_cast<std::uint32_t>(rows / block.rows),
                        static_cast<std::uint32_t>(columns / block.columns), from.channels};
    const Dimensions dimensions = to.dimensions(isNchw);
    VNPU_TRY(call.settle(0, dimensions));
    if (dimensions.elements() != input.elements()) {  // there is padding
        fillElements(zeroOf(input).data(), call.write<std::byte>(0), dimensions.elements(),
                     elementBytes(input.type));
    }
    if (input.elements() != 0) {
        copyPlaces(input, from, to, block, paddings, isNchw, call.write<std::byte>(0));
    }
    return JobStatus::kOk;
}

constexpr OperatorEntry kBlockEntries[] = {
        {Operator::kDepthToSpace, {"T4ib?", "T"}, depthToSpace},
        {Operator::kSpaceToDepth, {"T4ib?", "T"}, spaceToDepth},
        {Operator::kBatchToSpaceNd, {"T4v1b?", "T"}, batchToSpace},
        {Operator::kSpaceToBatchNd, {"T4v1v2b?", "T"}, spaceToBatch}};

}  // namespace

std::span<const OperatorEntry> blockOperators() {
    return kBlockEntries;
}

}  // namespace vnpu::hw::kernels

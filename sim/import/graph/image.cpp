// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/image.h"

#include <fmt/format.h>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/window.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

Value tradeSpace(Emitter& emitter, Type type, const Value& input, std::uint32_t blockSize,
                 const Dims& dims) {
    const Value movable = toMovable(emitter, input);
    const Value result = emitter.emit(type, {emitter.operand(movable), emitter.integer(blockSize)},
                                      movable.form, dims);
    return fromMovable(emitter, result, input.form);
}

/// Batch, two spatial dimensions, and the rest as channels.
Value asImage(Emitter& emitter, const Value& value, std::size_t blocks) {
    Dims dims = {value.dims[0], value.dims[1], blocks == 2 ? value.dims[2] : 1, 1};
    dims[3] = static_cast<std::uint32_t>(value.count() /
                                         (std::uint64_t{dims[0]} * dims[1] * dims[2]));
    return value.dims == dims ? value : reshape(emitter, value, dims);
}

void checkBlocks(const Value& value, std::span<const std::int64_t> blocks, std::size_t borders) {
    if (blocks.empty() || blocks.size() > 2 || borders != blocks.size() ||
        value.rank() < blocks.size() + 1 || value.count() == 0) {
        throw Refusal(fmt::format("has {} block sizes for {}, expected 1 or 2", blocks.size(),
                                  describeDimensions(value.dims)));
    }
    for (const std::int64_t block : blocks) {
        requireSteps({block}, "block size");
    }
}

}  // namespace

Value resize2d(Emitter& emitter, const Value& input, const Resize& resize, const Form& form) {
    requireImage(input, "input");
    requireSteps({resize.height, resize.width}, "the new size");
    const Value movable = toMovable(emitter, input);
    std::vector<Index> inputs = {emitter.operand(movable), emitter.integer(resize.width),
                                 emitter.integer(resize.height)};
    const bool hasFlags = resize.alignCorners || resize.halfPixelCenters;
    if (!resize.isBilinear || hasFlags) {
        inputs.push_back(emitter.builder().addBool(false));  // NHWC
    }
    if (hasFlags) {
        inputs.push_back(emitter.builder().addBool(resize.alignCorners));
        inputs.push_back(emitter.builder().addBool(resize.halfPixelCenters));
    }
    const Value result = emitter.emit(
            resize.isBilinear ? Type::RESIZE_BILINEAR : Type::RESIZE_NEAREST_NEIGHBOR, inputs,
            movable.form, {input.dims[0], resize.height, resize.width, input.dims[3]});
    return convert(emitter, fromMovable(emitter, result, input.form), form);
}

Value spaceToDepth(Emitter& emitter, const Value& input, std::uint32_t blockSize) {
    requireImage(input, "input");
    const Dims& dims = input.dims;
    if (blockSize == 0 || blockSize > INT16_MAX || dims[1] % blockSize != 0 ||
        dims[2] % blockSize != 0) {
        throw Refusal(fmt::format("blocks of {} in {}", blockSize, describeDimensions(dims)));
    }
    return tradeSpace(
            emitter, Type::SPACE_TO_DEPTH, input, blockSize,
            {dims[0], dims[1] / blockSize, dims[2] / blockSize, dims[3] * blockSize * blockSize});
}

Value depthToSpace(Emitter& emitter, const Value& input, std::uint32_t blockSize) {
    requireImage(input, "input");
    const Dims& dims = input.dims;
    if (blockSize == 0 || blockSize > INT16_MAX || dims[3] % (blockSize * blockSize) != 0) {
        throw Refusal(fmt::format("blocks of {} in {}", blockSize, describeDimensions(dims)));
    }
    return tradeSpace(
            emitter, Type::DEPTH_TO_SPACE, input, blockSize,
            {dims[0], dims[1] * blockSize, dims[2] * blockSize, dims[3] / blockSize / blockSize});
}

Value spaceToBatch(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    checkBlocks(value, blocks, before.size());
    const Value movable = toMovable(emitter, asImage(emitter, value, blocks.size()));
    std::vector<std::int32_t> sizes = {1, 1}, borders = {0, 0, 0, 0};
    Dims dims = value.dims, seen = movable.dims;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t extent = value.dims[i + 1] + before[i] + after[i];
        if (before[i] < 0 || after[i] < 0 || extent > INT32_MAX || extent % blocks[i] != 0) {
            throw Refusal(fmt::format("blocks of {} in {} elements", blocks[i], extent));
        }
        sizes[i] = static_cast<std::int32_t>(blocks[i]);
        borders[2 * i] = static_cast<std::int32_t>(before[i]);
        borders[2 * i + 1] = static_cast<std::int32_t>(after[i]);
        dims[0] *= static_cast<std::uint32_t>(blocks[i]);
        dims[i + 1] = seen[i + 1] = static_cast<std::uint32_t>(extent / blocks[i]);
    }
    seen[0] = dims[0];
    Value result = emitter.emit(Type::SPACE_TO_BATCH_ND,
                                {emitter.operand(movable), emitter.integers(sizes),
                                 emitter.builder().addInt32Tensor(borders, {2, 2})},
                                movable.form, seen);
    result = fromMovable(emitter, result, value.form);
    return dims == seen ? result : reshape(emitter, result, dims);
}

Value batchToSpace(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    checkBlocks(value, blocks, before.size());
    const Value movable = toMovable(emitter, asImage(emitter, value, blocks.size()));
    std::vector<std::int32_t> sizes = {1, 1};
    Dims dims = value.dims, seen = movable.dims;
    SliceSpec kept{std::vector<std::int64_t>(value.rank(), 0),
                   std::vector<std::int64_t>(value.rank(), 1),
                   {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t extent = std::int64_t{value.dims[i + 1]} * blocks[i];
        if (extent > INT32_MAX || dims[0] % blocks[i] != 0) {
            throw Refusal(
                    fmt::format("blocks of {} in {}", blocks[i], describeDimensions(value.dims)));
        }
        sizes[i] = static_cast<std::int32_t>(blocks[i]);
        dims[0] /= static_cast<std::uint32_t>(blocks[i]);
        dims[i + 1] = seen[i + 1] = static_cast<std::uint32_t>(extent);
    }
    seen[0] = dims[0];
    Value result =
            emitter.emit(Type::BATCH_TO_SPACE_ND,
                         {emitter.operand(movable), emitter.integers(sizes)}, movable.form, seen);
    result = fromMovable(emitter, result, value.form);
    if (dims != seen) {
        result = reshape(emitter, result, dims);
    }
    kept.count = dims;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t rest = std::int64_t{dims[i + 1]} - before[i] - after[i];
        if (before[i] < 0 || after[i] < 0 || rest < 0) {
            throw Refusal(fmt::format("cuts {} and {} from {} elements", before[i], after[i],
                                      dims[i + 1]));
        }
        kept.begin[i + 1] = before[i];
        kept.count[i + 1] = static_cast<std::uint32_t>(rest);
    }
    return slice(emitter, result, kept);
}

}  // namespace vnpu::sim::graph

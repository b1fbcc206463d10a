// SPDX-License-Identifier: Apache-2.0
// Operators that change the shape or the order of dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/image.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

void outShaped(Context& context, const Dims& dims) {
    context.out(0, graph::reshape(context.emitter(), context.in(0), dims), context.type(0));
}

void importReshape(Context& context) {
    const Dims from = context.dims(0);
    std::vector<std::int64_t> shape =
            context.has(1) ? context.integers(1, "the shape") : context.list("shape");
    const bool keepsZeros = context.integer("allowzero", 0) != 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0 && !keepsZeros) {
            if (i >= from.size()) {
                context.refuse(fmt::format("dimension {} of the shape is 0, the input has {}", i,
                                           from.size()));
            }
            shape[i] = from[i];
        }
    }
    outShaped(context, graph::resolveShape(from, shape));
}

void importFlatten(Context& context) {
    const Dims from = context.dims(0);
    const std::int64_t axis = context.integer("axis", 1);
    const std::size_t split = axis == static_cast<std::int64_t>(from.size())
                                      ? from.size()
                                      : graph::axisOf(axis, from.size());
    outShaped(context,
              {graph::elementsIn(from, 0, split), graph::elementsIn(from, split, from.size())});
}

void importSqueeze(Context& context) {
    const Dims from = context.dims(0);
    const std::vector<std::uint32_t> axes = context.axes(1, from.size());
    const bool isAll = !context.has(1) && !context.hasAttribute("axes");
    Dims dims;
    for (std::uint32_t i = 0; i < from.size(); ++i) {
        const bool isNamed = std::count(axes.begin(), axes.end(), i) != 0;
        if (isNamed && from[i] != 1) {
            context.refuse(fmt::format("dimension {} is {}, expected 1", i, from[i]));
        }
        if (isAll ? from[i] != 1 : !isNamed) {
            dims.push_back(from[i]);
        }
    }
    outShaped(context, dims);
}

void importUnsqueeze(Context& context) {
    const Dims from = context.dims(0);
    const std::size_t added =
            context.has(1) ? context.held(1).value.count() : context.list("axes").size();
    constexpr std::size_t kMostRank = 16;  // chosen: beyond any model
    if (from.size() + added > kMostRank) {
        context.refuse(fmt::format("a tensor of {} dimensions, expected up to {}",
                                   from.size() + added, kMostRank));
    }
    const std::vector<std::uint32_t> axes = context.axes(1, from.size() + added);
    Dims dims;
    for (std::uint32_t i = 0, at = 0; i < from.size() + added; ++i) {
        const bool isNew = std::count(axes.begin(), axes.end(), i) != 0;
        dims.push_back(isNew ? 1 : from[at++]);
    }
    outShaped(context, dims);
}

void importTranspose(Context& context) {
    const std::size_t rank = context.rank(0);
    std::vector<std::uint32_t> order;
    for (const std::int64_t axis : context.list("perm")) {
        order.push_back(graph::axisOf(axis, rank));
    }
    if (order.empty()) {
        order.resize(rank);
        std::iota(order.rbegin(), order.rend(), 0U);
    }
    const Held& held = context.held(0);
    if (rank >= 3 && order == toLastOrder(rank) && held.isChannelsLast) {
        context.out(0, held.value, held.type);  // it is held in this order already
    } else if (rank >= 3 && order == fromLastOrder(rank) && !held.isChannelsLast) {
        context.outLast(0, held.value, held.type);
    } else {
        context.out(0, graph::transpose(context.emitter(), context.in(0), order), held.type);
    }
}

/// Reshapes to `split`, transposes, and reshapes to `joined`.
Value rearrange(Context& context, const Value& value, const Dims& split,
                std::initializer_list<std::uint32_t> order, const Dims& joined) {
    graph::Emitter& emitter = context.emitter();
    const Value moved = graph::transpose(emitter, graph::reshape(emitter, value, split),
                                         std::vector<std::uint32_t>(order));
    return graph::reshape(emitter, moved, joined);
}

std::uint32_t blockSizeOf(Context& context, std::size_t rank) {
    const std::int64_t block = context.integer("blocksize", 0);
    if (rank != 4 || block < 1 || block > 4096) {
        context.refuse(fmt::format("{} dimensions in blocks of {}, expected 4 and 1 or more", rank,
                                   block));
    }
    return static_cast<std::uint32_t>(block);
}

void importSpaceToDepth(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t block = blockSizeOf(context, dims.size());
    if (dims[2] % block != 0 || dims[3] % block != 0) {
        context.refuse("the extents are no multiples of the block");
    }
    if (isRealType(context.type(0))) {
        context.outLast(0, graph::spaceToDepth(context.emitter(), context.last(0), block),
                        context.type(0));
        return;
    }
    const std::uint32_t height = dims[2] / block, width = dims[3] / block;
    context.out(0,
                rearrange(context, context.in(0), {dims[0], dims[1], height, block, width, block},
                          {0, 3, 5, 1, 2, 4}, {dims[0], dims[1] * block * block, height, width}),
                context.type(0));
}

/// DCR has the block before the channels, as NNAPI has; CRD the channels before the block.
void importDepthToSpace(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t block = blockSizeOf(context, dims.size());
    if (dims[1] % (block * block) != 0) {
        context.refuse("the channels are no multiple of the block");
    }
    const bool isCrd = context.text("mode", "DCR") == "CRD";
    if (!isCrd && isRealType(context.type(0))) {
        context.outLast(0, graph::depthToSpace(context.emitter(), context.last(0), block),
                        context.type(0));
        return;
    }
    const std::uint32_t channels = dims[1] / (block * block);
    const Dims joined = {dims[0], channels, dims[2] * block, dims[3] * block};
    context.out(0,
                isCrd ? rearrange(context, context.in(0),
                                  {dims[0], channels, block, block, dims[2], dims[3]},
                                  {0, 1, 4, 2, 5, 3}, joined)
                      : rearrange(context, context.in(0),
                                  {dims[0], block, block, channels, dims[2], dims[3]},
                                  {0, 3, 4, 1, 5, 2}, joined),
                context.type(0));
}

constexpr Operator kReshape[] = {
        {"DepthToSpace", 1, Status::kImported, "DEPTH_TO_SPACE, or RESHAPE and TRANSPOSE",
         importDepthToSpace},
        {"Flatten", 1, Status::kImported, "RESHAPE", importFlatten},
        {"Reshape", 1, Status::kImported, "RESHAPE", importReshape},
        {"SpaceToDepth", 1, Status::kImported, "SPACE_TO_DEPTH", importSpaceToDepth},
        {"Squeeze", 1, Status::kImported, "RESHAPE", importSqueeze},
        {"Transpose", 1, Status::kImported, "TRANSPOSE", importTranspose},
        {"Unsqueeze", 1, Status::kImported, "RESHAPE", importUnsqueeze},
};

}  // namespace

std::span<const Operator> reshapeOperators() {
    return kReshape;
}

}  // namespace vnpu::sim::onnx

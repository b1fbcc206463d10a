// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/emission.h"
#include "driver/compiler/emit/transfer.h"
#include "driver/compiler/ir/window_reach.h"

namespace vnpu::driver {
namespace {

/// One tile of a pool.
struct PoolTile {
    std::uint32_t batch = 0;
    Part rows, columns, channels;
};

/// Byte offset of (batch, row, column, channel) in a dense NHWC tensor.
std::uint64_t offsetOf(std::uint32_t batch, std::uint32_t row, std::uint32_t column,
                       std::uint32_t channel, const Shape4& shape, std::uint64_t element) {
    const std::uint64_t line = std::uint64_t{batch} * shape[1] + row;
    return ((line * shape[2] + column) * shape[3] + channel) * element;
}

void emitTile(EmissionContext& context, const PoolNode& node, const PoolTile& tile,
              SlotCache& inputs, SlotCache& outputs, std::uint64_t key) {
    const WindowGeometry& g = node.geometry;
    const std::uint64_t element = hw::elementBytes(node.prototype.type);
    const Shape4 from{g.batches, g.inputHeight, g.inputWidth, g.inputChannels};
    const bool isStrided = node.outputPixelStride != 0;
    const Shape4 to{
            g.batches, g.outputHeight, g.outputWidth,
            isStrided ? static_cast<std::uint32_t>(node.outputPixelStride) : g.outputChannels};
    const Reach rows = reachOf(g.rows(), tile.rows);
    const Reach columns = reachOf(g.columns(), tile.columns);
    const std::uint64_t read = offsetOf(tile.batch, rows.input.begin, columns.input.begin,
                                        tile.channels.begin, from, element);
    const std::uint64_t written = offsetOf(tile.batch, tile.rows.begin, tile.columns.begin,
                                           tile.channels.begin, to, element);
    const std::uint64_t packed = tile.channels.count * element;  // of a pixel in a buffer
    hw::VecPool work = node.prototype;
    const auto element32 = static_cast<std::uint32_t>(element);
    work.inputWidth = columns.input.count;
    if (const auto resident = context.sramOf(node.input)) {
        work.inputSram = static_cast<std::uint32_t>(*resident + read);
        // Of the whole rows: the last columns may belong to no window.
        work.inputWidth = g.inputWidth;
    } else {
        work.inputSram = inputs.find(key).address;
        addTransfers(context.list, hw::Engine::kDma0, context.home(node.input) + read,
                     sramRef(work.inputSram),
                     {{rows.input.count, from[2] * from[3] * element, packed * columns.input.count},
                      {columns.input.count, from[3] * element, packed},
                      {tile.channels.count, element, element}},
                     element32);
    }
    // Pools write dense tiles; DMA puts pixels with gaps in place, in SRAM too.
    const auto resident = isStrided ? std::nullopt : context.sramOf(node.output);
    work.outputSram =
            resident ? static_cast<std::uint32_t>(*resident + written) : outputs.find(key).address;
    work.inputHeight = rows.input.count;
    work.channels = tile.channels.count;
    work.outputHeight = tile.rows.count;
    work.outputWidth = tile.columns.count;
    work.windowHeight = static_cast<std::uint16_t>(g.filterHeight);
    work.windowWidth = static_cast<std::uint16_t>(g.filterWidth);
    work.strideHeight = static_cast<std::uint16_t>(g.strideHeight);
    work.strideWidth = static_cast<std::uint16_t>(g.strideWidth);
    work.padTop = rows.pad;
    work.padLeft = columns.pad;
    context.list.add(hw::Engine::kVector, work);
    if (!resident) {
        addTransfers(context.list, hw::Engine::kDma2, sramRef(work.outputSram),
                     context.home(node.output) + written,
                     {{tile.rows.count, packed * tile.columns.count, to[2] * to[3] * element},
                      {tile.columns.count, packed, to[3] * element},
                      {tile.channels.count, element, element}},
                     element32);
    }
    context.list.nextTile();
}

}  // namespace

void emit(EmissionContext& context, const PoolNode& node, const NodePlan& nodePlan) {
    const auto& plan = planAs<PoolPlan>(nodePlan);
    const WindowGeometry& g = node.geometry;
    SlotCache inputs(plan.input);
    SlotCache outputs(plan.output);
    std::uint64_t key = 0;
    PoolTile tile;
    for (tile.batch = 0; tile.batch < g.batches; ++tile.batch) {
        for (std::uint32_t r = 0; r < partsOf(g.outputHeight, plan.rows); ++r) {
            tile.rows = partOf(r, plan.rows, g.outputHeight);
            for (std::uint32_t c = 0; c < partsOf(g.outputWidth, plan.columns); ++c) {
                tile.columns = partOf(c, plan.columns, g.outputWidth);
                for (std::uint32_t k = 0; k < partsOf(g.inputChannels, plan.channels); ++k) {
                    tile.channels = partOf(k, plan.channels, g.inputChannels);
                    emitTile(context, node, tile, inputs, outputs, key++);
                }
            }
        }
    }
}

}  // namespace vnpu::driver

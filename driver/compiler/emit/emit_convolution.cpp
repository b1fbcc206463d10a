// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "driver/compiler/emit/emission.h"
#include "driver/compiler/emit/mac_parts.h"
#include "driver/compiler/emit/transfer.h"
#include "driver/compiler/ir/window_reach.h"
#include "driver/compiler/plan/filter_tiles.h"

namespace vnpu::driver {
namespace {

/// One place: a batch and the output rows and columns of a tile.
struct Place {
    std::uint32_t batch = 0;
    Part rows, columns;
};

class ConvEmitter {
  public:
    ConvEmitter(EmissionContext& context, const ConvNode& node, const ConvPlan& plan)
        : context_(context),
          node_(node),
          plan_(plan),
          g_(node.geometry),
          inputs_(plan.input),
          filters_(plan.filter),
          outputs_(plan.output),
          tables_(plan.tables),
          inputElement_(hw::elementBytes(node.prototype.inputType)),
          outputElement_(hw::elementBytes(node.prototype.outputType)),
          outputPixelBytes_(
                  (node.outputPixelStride != 0 ? node.outputPixelStride : g_.outputChannels) *
                  outputElement_),
          outputRowBytes_(node.outputRowStride != 0 ? node.outputRowStride * outputElement_
                                                    : outputPixelBytes_ * g_.outputWidth),
          outputImageBytes_(node.outputImageStride != 0 ? node.outputImageStride * outputElement_
                                                        : outputRowBytes_ * g_.outputHeight),
          accumulators_(accumulatorsPerBlock(context.list.costs().device()) * 4),
          channelTileCount_(channelTiles(node, plan)) {}

    void run() {
        const std::uint32_t channelTiles = channelTileCount_;
        const std::uint32_t rowTiles = partsOf(g_.outputHeight, plan_.rows);
        const std::uint32_t columnTiles = partsOf(g_.outputWidth, plan_.columns);
        const std::uint32_t places = g_.batches * rowTiles * columnTiles;
        const std::uint32_t outer = plan_.isWeightsOuter ? channelTiles : places;
        const std::uint32_t inner = plan_.isWeightsOuter ? places : channelTiles;
        for (std::uint32_t i = 0; i < outer; ++i) {
            for (std::uint32_t j = 0; j < inner; ++j) {
                const std::uint32_t place = plan_.isWeightsOuter ? j : i;
                const std::uint32_t channel = plan_.isWeightsOuter ? i : j;
                placeIndex_ = place;
                place_.batch = place / (rowTiles * columnTiles);
                place_.rows = partOf(place / columnTiles % rowTiles, plan_.rows, g_.outputHeight);
                place_.columns = partOf(place % columnTiles, plan_.columns, g_.outputWidth);
                channelIndex_ = channel;
                channels_ = channelTile(node_, plan_, channel);
                isLastChannel_ = channel + 1 == channelTiles;
                runTile();
                context_.list.nextTile();
            }
        }
    }

  private:
    /// A tile in SRAM as a MAC command sees it.
    struct View {
        std::uint32_t address = 0;
        std::uint32_t rowBytes = 0, pixelBytes = 0;
    };

    /// Of the present tile.
    std::uint32_t group() const { return channels_.begin / node_.groupOutputs(); }

    void runTile() {
        rowReach_ = reachOf(g_.rows(), place_.rows);
        columnReach_ = reachOf(g_.columns(), place_.columns);
        const std::uint32_t chunks = depthChunks(node_, plan_);
        const View output = viewOutput();
        loadTables();
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            const Part depth = depthChunk(node_, plan_, chunk);
            const View input = viewInput(chunk, depth);
            const std::uint32_t filter = loadFilter(chunk, depth);
            compute(input, filter, output, depth, chunk == 0, chunk + 1 == chunks);
        }
        storeOutput(output);
    }

    /// Input channels that the present tile reads for a part of its group's depth.
    Part inputChannels(const Part& depth) const {
        if (node_.isDepthwise()) {
            return {channels_.begin / node_.depthMultiplier,
                    channels_.count / node_.depthMultiplier};
        }
        return {group() * node_.groupInputs() + depth.begin, depth.count};
    }

    std::uint64_t inputOffset(std::uint32_t channel) const {
        const std::uint64_t row =
                std::uint64_t{place_.batch} * g_.inputHeight + rowReach_.input.begin;
        const std::uint64_t pixel = row * g_.inputWidth + columnReach_.input.begin;
        return (pixel * g_.inputChannels + channel) * inputElement_;
    }

    View viewInput(std::uint32_t chunk, const Part& depth) {
        const Part wanted = inputChannels(depth);
        if (const auto resident = context_.sramOf(node_.input)) {
            const std::uint32_t pixelBytes = g_.inputChannels * inputElement_;
            return {static_cast<std::uint32_t>(*resident + inputOffset(wanted.begin)),
                    pixelBytes * g_.inputWidth, pixelBytes};
        }
        const bool isSlice = node_.isDepthwise() || plan_.splitsInput;
        const Part loaded = isSlice ? wanted : Part{0, g_.inputChannels};
        std::uint64_t key = placeIndex_;
        if (node_.isDepthwise()) {
            key = key * channelTileCount_ + channelIndex_;
        } else if (plan_.splitsInput) {
            key = (key * node_.groups + group()) * depthChunks(node_, plan_) + chunk;
        }
        const SlotCache::Slot slot = inputs_.find(key);
        const std::uint32_t pixelBytes = loaded.count * inputElement_;
        const std::uint32_t rowBytes = pixelBytes * columnReach_.input.count;
        if (slot.isFresh) {
            const std::uint64_t pixel = std::uint64_t{g_.inputChannels} * inputElement_;
            addTransfers(context_.list, hw::Engine::kDma0,
                         context_.home(node_.input) + inputOffset(loaded.begin),
                         sramRef(slot.address),
                         {{rowReach_.input.count, pixel * g_.inputWidth, rowBytes},
                          {columnReach_.input.count, pixel, pixelBytes},
                          {loaded.count, inputElement_, inputElement_}},
                         inputElement_, context_.longestRow(node_.input));
        }
        return {slot.address + (wanted.begin - loaded.begin) * inputElement_, rowBytes, pixelBytes};
    }

    std::uint32_t loadFilter(std::uint32_t chunk, const Part& depth) {
        if (const auto resident = context_.sramOf(node_.filter)) {
            const std::uint64_t first = filterTile(node_, channels_, depth).first;
            return static_cast<std::uint32_t>(*resident + first * inputElement_);
        }
        const SlotCache::Slot slot =
                filters_.find(channelIndex_ * std::uint64_t{depthChunks(node_, plan_)} + chunk);
        if (slot.isFresh) {
            context_.loadConstant(node_.filter, filterTile(node_, channels_, depth), slot.address);
        }
        return slot.address;
    }

    /// Bias and scales, of all channels at once or of the tile's.
    void loadTables() {
        if (plan_.tables.slots == 0) {
            return;
        }
        const Part part = plan_.loadsTablesOnce ? Part{0, g_.outputChannels} : channels_;
        const SlotCache::Slot slot = tables_.find(plan_.loadsTablesOnce ? 0 : channelIndex_);
        const std::uint32_t biasBytes = node_.bias != kNoTensor ? part.count * 4 : 0;
        const std::uint32_t scaleBytes = node_.scaleTable != kNoStorage ? part.count * 8 : 0;
        const std::uint32_t before = channels_.begin - part.begin;
        biasAddress_ = slot.address + before * 4;
        scaleAddress_ = slot.address + biasBytes + before * 8;
        if (slot.isFresh) {
            loadTables(part.begin, biasBytes, scaleBytes, slot.address);
        }
    }

    /// One transfer where bias and scales lie side by side.
    void loadTables(std::uint32_t channel, std::uint32_t biasBytes, std::uint32_t scaleBytes,
                    std::uint32_t address) {
        hw::MemoryRef bias{};
        hw::MemoryRef scales{};
        if (biasBytes != 0) {
            bias = context_.home(node_.bias) + channel * 4ULL;
        }
        if (scaleBytes != 0) {
            scales = context_.places.memory[node_.scaleTable] + (node_.firstScale + channel) * 8ULL;
        }
        const bool isAdjacent = biasBytes != 0 && scaleBytes != 0 && bias.space == scales.space &&
                                bias.offset + biasBytes == scales.offset;
        if (biasBytes != 0) {
            addTransfer(context_.list, hw::Engine::kDma0, bias, sramRef(address),
                        isAdjacent ? biasBytes + scaleBytes : biasBytes);
        }
        if (scaleBytes != 0 && !isAdjacent) {
            addTransfer(context_.list, hw::Engine::kDma0, scales, sramRef(address + biasBytes),
                        scaleBytes);
        }
    }

    std::uint64_t outputOffset(std::uint32_t channel) const {
        return place_.batch * outputImageBytes_ + place_.rows.begin * outputRowBytes_ +
               place_.columns.begin * outputPixelBytes_ + std::uint64_t{channel} * outputElement_;
    }

    View viewOutput() {
        if (const auto resident = context_.sramOf(node_.output)) {
            return {static_cast<std::uint32_t>(*resident + outputOffset(channels_.begin)),
                    static_cast<std::uint32_t>(outputRowBytes_),
                    static_cast<std::uint32_t>(outputPixelBytes_)};
        }
        const std::uint64_t key =
                plan_.storesWhole ? placeIndex_
                                  : std::uint64_t{placeIndex_} * channelTileCount_ + channelIndex_;
        const std::uint32_t held = plan_.storesWhole ? g_.outputChannels : channels_.count;
        const std::uint32_t pixelBytes = held * outputElement_;
        const std::uint32_t first = plan_.storesWhole ? channels_.begin * outputElement_ : 0;
        return {outputs_.find(key).address + first, pixelBytes * place_.columns.count, pixelBytes};
    }

    void storeOutput(const View& view) {
        if (context_.sramOf(node_.output) || (plan_.storesWhole && !isLastChannel_)) {
            return;
        }
        const Part stored = plan_.storesWhole ? Part{0, g_.outputChannels} : channels_;
        const std::uint32_t skipped = plan_.storesWhole ? channels_.begin * outputElement_ : 0;
        addTransfers(context_.list, hw::Engine::kDma2, sramRef(view.address - skipped),
                     context_.home(node_.output) + outputOffset(stored.begin),
                     {{place_.rows.count, view.rowBytes, outputRowBytes_},
                      {place_.columns.count, view.pixelBytes, outputPixelBytes_},
                      {stored.count, outputElement_, outputElement_}},
                     outputElement_);
    }

    /// The MAC command of one tile and depth chunk, in parts if it is long.
    void compute(const View& input, std::uint32_t filter, const View& output, const Part& depth,
                 bool isFirst, bool isLast) {
        hw::MacConv work = node_.prototype;
        work.flags |= (isFirst ? 0U : hw::kMacAccumulate) | (isLast ? hw::kMacDrain : 0U);
        work.inputSram = input.address;
        work.inputChannels = inputChannels(depth).count;
        if (node_.isDepthwise()) {
            work.depthMultiplier = node_.depthMultiplier;
        }
        work.filterSram = filter;
        work.inputRowBytes = input.rowBytes;
        work.inputPixelBytes = input.pixelBytes;
        setWindow(work);
        work.outputChannels = channels_.count;
        work.outputRowBytes = output.rowBytes;
        work.outputPixelBytes = output.pixelBytes;
        work.outputSram = output.address;
        work.blockHeight = plan_.cut.rows;
        work.blockWidth = plan_.cut.columns;
        work.blockChannels = plan_.cut.channels;
        if (node_.bias != kNoTensor) {
            work.outputStage.biasSram = biasAddress_;
        }
        if (node_.scaleTable != kNoStorage) {
            work.outputStage.scaleSram = scaleAddress_;
        }
        for (hw::MacConv& part : macParts(work, macPartCount(work))) {
            if (isFirst) {
                half_ ^= 1U;
            }
            if (hw::blocksOf(part).count() == 1) {
                part.accumulatorOffset = half_ * static_cast<std::uint32_t>(accumulators_);
            }
            context_.list.add(hw::Engine::kMac, part);
        }
    }

    std::uint64_t macPartCount(const hw::MacConv& work) const {
        if (context_.commandCycles == 0) {
            return 1;
        }
        const double cycles = costOf(context_.list.costs(), work).engineCycles;
        return static_cast<std::uint64_t>(
                std::max(1.0, std::ceil(cycles / static_cast<double>(context_.commandCycles))));
    }

    /// Extents, strides and padding of the present tile.
    void setWindow(hw::MacConv& work) const {
        work.inputHeight = rowReach_.input.count;
        work.inputWidth = columnReach_.input.count;
        work.outputHeight = place_.rows.count;
        work.outputWidth = place_.columns.count;
        work.filterHeight = static_cast<std::uint16_t>(g_.filterHeight);
        work.filterWidth = static_cast<std::uint16_t>(g_.filterWidth);
        work.strideHeight = static_cast<std::uint16_t>(g_.strideHeight);
        work.strideWidth = static_cast<std::uint16_t>(g_.strideWidth);
        work.dilationHeight = static_cast<std::uint16_t>(g_.dilationHeight);
        work.dilationWidth = static_cast<std::uint16_t>(g_.dilationWidth);
        work.padTop = rowReach_.pad;
        work.padLeft = columnReach_.pad;
    }

    EmissionContext& context_;
    const ConvNode& node_;
    const ConvPlan& plan_;
    const WindowGeometry& g_;
    SlotCache inputs_, filters_, outputs_, tables_;
    const std::uint32_t inputElement_;
    const std::uint32_t outputElement_;
    const std::uint64_t outputPixelBytes_, outputRowBytes_, outputImageBytes_;
    const std::uint64_t accumulators_;  // bytes of one half
    const std::uint32_t channelTileCount_;
    std::uint32_t half_ = 0;
    // The present tile.
    std::uint32_t placeIndex_ = 0, channelIndex_ = 0;
    bool isLastChannel_ = false;
    Place place_;
    Part channels_;
    Reach rowReach_, columnReach_;
    std::uint32_t biasAddress_ = 0, scaleAddress_ = 0;
};

}  // namespace

void emit(EmissionContext& context, const ConvNode& node, const NodePlan& plan) {
    ConvEmitter(context, node, planAs<ConvPlan>(plan)).run();
}

}  // namespace vnpu::driver

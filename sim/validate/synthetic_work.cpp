// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/synthetic_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hw_model/regs/command_writer.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/regs/rounding.h"
#include "hw_model/regs/sram_blocks.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

namespace {

using driver::RegionKind;
using hw::Engine;

constexpr std::uint64_t kAlignment = 64;             // bytes. chosen: a burst
constexpr std::uint64_t kFilterShare = 8;            // of SRAM. chosen: leaves room for transfers
constexpr std::uint64_t kWindowBytes = 16ULL << 20;  // of memory, for a flow to walk through

// source: NVDLA hardware architecture: fewer channels are fed as whole filter rows
constexpr std::uint32_t kLeastChannels = 5;

/// Halves of the SRAM; tiles take turns in them.
struct SramHalf {
    std::uint64_t input, filter, output, end;

    SramHalf(const driver::DeviceInfo& device, std::uint64_t tile) {
        const std::uint64_t half = device.sramBytes / 2 / kAlignment * kAlignment;
        const std::uint64_t eighth = half / 8 / kAlignment * kAlignment;
        input = tile % 2 * half;
        filter = input + 3 * eighth;
        output = filter + 3 * eighth;
        end = input + half;
    }

    std::uint64_t inputBytes() const { return filter - input; }
    std::uint64_t filterBytes() const { return output - filter; }
    std::uint64_t outputBytes() const { return end - output; }
};

/// The part of `total` that tile `index` of `tiles` has; the parts differ by one at most.
std::uint64_t partOf(std::uint64_t total, std::uint64_t tiles, std::uint64_t index) {
    return total * (index + 1) / tiles - total * index / tiles;
}

/// How a layer is cut: the array takes `steps` cycles for each of `pixels` results of every column.
struct LayerCut {
    std::uint64_t tiles = 1;
    std::uint64_t steps = 1;
    std::uint64_t pixels = 1;

    /// With about as many results as the layer has, as far as its filter leaves room.
    LayerCut(const SyntheticLayer& layer, const driver::DeviceInfo& device, std::uint64_t count)
        : tiles(count) {
        const std::uint64_t stepBytes = std::uint64_t{device.macRows} * device.macColumns;
        const std::uint64_t wanted =
                std::max<std::uint64_t>(layer.results / device.macColumns, tiles);
        const std::uint64_t most =
                std::max<std::uint64_t>(device.sramBytes / kFilterShare / stepBytes, 1);
        steps = std::clamp<std::uint64_t>((layer.macCycles + wanted / 2) / wanted, 1, most);
        pixels = std::max((layer.macCycles + steps / 2) / steps, tiles);
    }

    bool fits(const SyntheticLayer& layer, const driver::DeviceInfo& device) const {
        const SramHalf half(device, 0);
        const std::uint64_t mostPixels = hw::divideUp(pixels, tiles);
        const std::uint64_t inputRows = mostPixels + steps - 1;
        const std::uint64_t results = mostPixels * device.macColumns;
        return hw::divideUp(std::max(layer.inputBytes, layer.pooledBytes), tiles) <=
                       half.inputBytes() &&
               hw::divideUp(layer.filterBytes, tiles) <= half.filterBytes() &&
               hw::divideUp(layer.outputBytes, tiles) <= half.outputBytes() &&
               inputRows * device.macRows <= half.inputBytes() &&
               steps * device.macRows * device.macColumns <= half.filterBytes() &&
               results <= half.outputBytes() && results * 4 <= device.accumulatorBytes / 2;
    }
};

double transferCycles(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    return static_cast<double>(layer.inputBytes + layer.filterBytes + layer.outputBytes) /
           device.dramBytesPerCycle;
}

/// What overlaps nothing is about the shorter of array and transfers, divided by the tiles; each
/// tile costs a latency more. Their sum is least where both are equal.
std::uint64_t bestTiles(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    const double shorter =
            std::min(static_cast<double>(layer.macCycles), transferCycles(layer, device));
    const double latency = std::max<std::uint32_t>(device.dramLatencyCycles, 1);
    return std::max<std::uint64_t>(std::llround(std::sqrt(shorter / latency)), kLeastTiles);
}

constexpr std::uint64_t kMostTiles = 1U << 16U;  // chosen: far from the largest layer of a network

driver::Result<LayerCut> cutOf(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    for (std::uint64_t tiles = bestTiles(layer, device); tiles <= kMostTiles;
         tiles += hw::divideUp(tiles, 4)) {
        const LayerCut cut(layer, device, tiles);
        if (cut.fits(layer, device)) {
            return cut;
        }
    }
    return driver::fail(driver::ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                        fmt::format("{} cycles with {} bytes of input, {} of filters and {} of "
                                    "output fit {} bytes of SRAM in no {} tiles",
                                    layer.macCycles, layer.inputBytes, layer.filterBytes,
                                    layer.outputBytes, device.sramBytes, kMostTiles));
}

/// Bytes of memory one after the other, again from the begin where there are no more.
class MemoryWalk {
  public:
    MemoryWalk(std::uint16_t region, std::uint64_t begin, std::uint64_t sizeBytes)
        : region_(region), begin_(begin), sizeBytes_(sizeBytes) {}

    hw::MemoryRef take(std::uint64_t bytes) {
        if (at_ + bytes > sizeBytes_) {
            at_ = 0;
        }
        const hw::MemoryRef ref{region_, 0, 0, begin_ + at_};
        at_ += bytes;
        return ref;
    }

  private:
    std::uint16_t region_;
    std::uint64_t begin_, sizeBytes_, at_ = 0;
};

/// Writes the commands of all layers. Tiles are counted through, so that those of one layer follow
/// those of the one before in the halves of the SRAM.
class WorkWriter {
  public:
    WorkWriter(const driver::DeviceInfo& device, std::uint16_t region, std::uint64_t windowBytes)
        : device_(device),
          input_(region, 0, windowBytes),
          filter_(region, windowBytes, windowBytes),
          output_(region, 2 * windowBytes, windowBytes) {}

    void add(const SyntheticLayer& layer, const LayerCut& cut) {
        const std::uint32_t results = stored_;
        for (std::uint64_t i = 0; i < cut.tiles; ++i) {
            loadInput(partOf(layer.pooledBytes, cut.tiles, i), half(tile_ + i), results);
        }
        for (std::uint64_t i = 0; i < cut.tiles; ++i) {
            const SramHalf place = half(tile_);
            loadInput(partOf(layer.inputBytes, cut.tiles, i), place, results);
            loadFilter(partOf(layer.filterBytes, cut.tiles, i), place);
            multiply(partOf(cut.pixels, cut.tiles, i), cut.steps, place);
            store(partOf(layer.outputBytes, cut.tiles, i), place);
            storedOfTile_[tile_ % 2] = stored_;
            ++tile_;
            operationTile_ = static_cast<std::uint32_t>(i + 1);
        }
        operationTile_ = 0;
        ++operation_;
    }

    void end() { writer_.add({.engine = Engine::kController}, hw::Opcode::kEnd); }

    hw::CommandWriter& writer() { return writer_; }

  private:
    SramHalf half(std::uint64_t tile) const { return {device_, tile}; }

    hw::CommandContext contextOf(Engine engine, std::span<const hw::TokenWait> waits) const {
        return {.engine = engine, .operation = operation_, .tile = operationTile_, .waits = waits};
    }

    // Products of the tile before the one before, which read the same half, are finished.
    std::uint32_t productsBefore() const {
        return static_cast<std::uint32_t>(tile_ < 2 ? 0 : tile_ - 1);
    }

    static hw::TokenWait waitFor(Engine engine, std::uint32_t count) {
        return {.count = count & 0xFFFFFFU, .engine = static_cast<std::uint8_t>(engine)};
    }

    void transfer(Engine engine, const hw::MemoryRef& source, const hw::MemoryRef& destination,
                  std::uint64_t bytes, std::span<const hw::TokenWait> waits) {
        hw::DmaTransfer work{};
        work.source = source;
        work.destination = destination;
        work.rowBytes = static_cast<std::uint32_t>(bytes);
        std::fill(std::begin(work.counts), std::end(work.counts), 1U);
        writer_.add(contextOf(engine, waits), work);
    }

    static hw::MemoryRef inSram(std::uint64_t offset) { return {hw::kSpaceSram, 0, 0, offset}; }

    /// `results`: stores after which the input is there.
    void loadInput(std::uint64_t bytes, const SramHalf& place, std::uint32_t results) {
        if (bytes == 0) {
            return;
        }
        const std::array waits = {waitFor(Engine::kMac, productsBefore()),
                                  waitFor(Engine::kDma2, results)};
        transfer(Engine::kDma0, input_.take(bytes), inSram(place.input), bytes, waits);
        ++loadedInputs_;
    }

    void loadFilter(std::uint64_t bytes, const SramHalf& place) {
        if (bytes == 0) {
            return;
        }
        const std::array waits = {waitFor(Engine::kMac, productsBefore())};
        transfer(Engine::kDma1, filter_.take(bytes), inSram(place.filter), bytes, waits);
        ++loadedFilters_;
    }

    void multiply(std::uint64_t pixels, std::uint64_t steps, const SramHalf& place) {
        hw::MacConv work{};
        work.inputType = work.filterType = work.outputType = hw::ElementType::kInt8;
        work.flags = hw::kMacDrain;
        work.inputSram = static_cast<std::uint32_t>(place.input);
        work.filterSram = static_cast<std::uint32_t>(place.filter);
        work.outputSram = static_cast<std::uint32_t>(place.output);
        work.accumulatorOffset =
                static_cast<std::uint32_t>(tile_ % 2 * (device_.accumulatorBytes / 2));
        work.inputHeight = static_cast<std::uint32_t>(pixels + steps - 1);
        work.outputHeight = static_cast<std::uint32_t>(pixels);
        work.filterHeight = static_cast<std::uint16_t>(steps);
        work.inputWidth = work.outputWidth = work.filterWidth = 1;
        work.inputChannels = work.inputRowBytes = work.inputPixelBytes = device_.macRows;
        work.outputChannels = work.outputRowBytes = work.outputPixelBytes = device_.macColumns;
        work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
        work.outputStage.clampMin = INT8_MIN;
        work.outputStage.clampMax = INT8_MAX;
        const std::array waits = {waitFor(Engine::kDma0, loadedInputs_),
                                  waitFor(Engine::kDma1, loadedFilters_),
                                  waitFor(Engine::kDma2, storedOfTile_[tile_ % 2])};
        writer_.add(contextOf(Engine::kMac, waits), work);
    }

    void store(std::uint64_t bytes, const SramHalf& place) {
        if (bytes == 0) {
            return;
        }
        const std::array waits = {waitFor(Engine::kMac, static_cast<std::uint32_t>(tile_ + 1))};
        transfer(Engine::kDma2, inSram(place.output), output_.take(bytes), bytes, waits);
        ++stored_;
    }

    const driver::DeviceInfo& device_;
    hw::CommandWriter writer_;
    MemoryWalk input_, filter_, output_;
    std::uint64_t tile_ = 0;  // from the first layer on; as many products have been written
    std::uint32_t operation_ = 0, operationTile_ = 0;
    std::uint32_t loadedInputs_ = 0, loadedFilters_ = 0, stored_ = 0;
    std::array<std::uint32_t, 2> storedOfTile_{};  // stores up to the last tile in each half
};

std::uint64_t estimateOf(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    const double pool = static_cast<double>(layer.pooledBytes) / device.dramBytesPerCycle;
    return static_cast<std::uint64_t>(
            pool + std::max(static_cast<double>(layer.macCycles), transferCycles(layer, device)));
}

}  // namespace

std::uint64_t SyntheticWork::largestBytes() const {
    std::uint64_t most = 1;
    for (const SyntheticLayer& layer : layers) {
        most = std::max(
                {most, layer.inputBytes, layer.filterBytes, layer.outputBytes, layer.pooledBytes});
    }
    return most;
}

driver::Result<driver::CompiledModel> withSyntheticWork(driver::CompiledModel model,
                                                        const SyntheticWork& work,
                                                        const driver::DeviceInfo& device) {
    if (device.dataflow != static_cast<std::uint32_t>(hw::Dataflow::kBroadcast) ||
        device.macRows < kLeastChannels) {
        return driver::invalidArgument(
                "synthetic work is for the broadcast dataflow over more "
                "than four channels");
    }
    const std::uint64_t window =
            hw::divideUp(std::min(work.largestBytes(), kWindowBytes), kAlignment) * kAlignment;
    std::erase_if(model.regions,
                  [](const driver::Region& region) { return region.kind == RegionKind::kScratch; });
    const auto region = static_cast<std::uint16_t>(model.regions.size());
    model.scratchBytes = 3 * window;
    model.regions.push_back({RegionKind::kScratch, 0, model.scratchBytes, true});

    WorkWriter writer(device, region, window);
    model.estimatedCycles = 0;
    for (const SyntheticLayer& layer : work.layers) {
        const auto cut = cutOf(layer, device);
        VNPU_TRY(cut);
        writer.add(layer, *cut);
        model.estimatedCycles += estimateOf(layer, device);
    }
    writer.end();
    model.commandCount = writer.writer().commandCount();
    model.commands = writer.writer().takeBytes();
    model.sramBytesUsed = device.sramBytes;
    model.sramBlocks = hw::kAllSramBlocks;
    model.checkpointCount = 0;
    model.saveBytes = 0;
    model.longestIntervalCycles = model.estimatedCycles;
    return model;
}

}  // namespace vnpu::sim

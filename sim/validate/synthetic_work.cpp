// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/synthetic_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hw_model/regs/command_writer.h"
#include "hw_model/regs/sram_blocks.h"
#include "hw_model/timing/mac_timing.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

using driver::RegionKind;
using hw::Engine;

constexpr std::uint64_t kBurstBytes = 64;            // bytes. chosen: a burst
constexpr std::uint64_t kWindowBytes = 16ULL << 20;  // of memory, for each kind of transfer
constexpr std::uint64_t kLeastTiles = 2;         // chosen: one is loaded while another is computed
constexpr std::uint64_t kSlackShare = 100;       // of a tile. chosen: far below the tolerances
constexpr std::uint64_t kMostTiles = 1U << 16U;  // chosen: far above the largest layer of a network

// source: NVDLA hardware architecture: fewer channels are fed as complete filter rows
constexpr std::uint32_t kLeastBroadcastRows = 5;

/// Halves of the SRAM, which tiles use in turn.
struct SramHalf {
    std::uint64_t input, filter, output, end;

    SramHalf(const driver::DeviceInfo& device, std::uint64_t tile) {
        const std::uint64_t half = device.sramBytes / 2 / kBurstBytes * kBurstBytes;
        const std::uint64_t fifth = half / 5 / kBurstBytes * kBurstBytes;
        input = tile % 2 * half;
        filter = input + 2 * fifth;
        output = filter + 2 * fifth;
        end = input + half;
    }

    std::uint64_t inputBytes() const { return filter - input; }
    std::uint64_t filterBytes() const { return output - filter; }
    std::uint64_t outputBytes() const { return end - output; }
};

/// The share of tile `index` of `tiles` in `total`; the shares differ by one at most.
std::uint64_t partOf(std::uint64_t total, std::uint64_t tiles, std::uint64_t index) {
    return total * (index + 1) / tiles - total * index / tiles;
}

/// The work of a command of the array: `pixels` results of every column, each a sum over `steps`
/// times the rows of the array.
struct Product {
    std::uint64_t steps = 1;
    std::uint64_t pixels = 1;
};

/// The commands of the array and stores up to the end of a tile.
class Products {
  public:
    explicit Products(const driver::DeviceInfo& device)
        : mac_{.rows = device.macRows,
               .columns = device.macColumns,
               .dataflow = static_cast<hw::Dataflow>(device.dataflow),
               .weightDoubleBuffer = device.weightDoubleBuffer} {
        const SramHalf half(device, 0);
        const std::uint64_t rows = device.macRows;
        const std::uint64_t columns = device.macColumns;
        most_.steps = half.filterBytes() / (rows * columns);
        most_.pixels = std::min({half.outputBytes() / columns,
                                 device.accumulatorBytes / 2 / (columns * kAccumulatorBytes),
                                 half.inputBytes() / rows});
        // The filter covers as many rows of the input as it has steps; the other rows are pixels.
        most_.steps = std::min({most_.steps, half.inputBytes() / rows / 2, kMostSteps});
        most_.pixels -= std::min(most_.pixels, most_.steps);
    }

    bool exist() const { return most_.steps != 0 && most_.pixels != 0; }
    std::uint64_t cyclesOf(const Product& product) const {
        return hw::gemmCycles(
                mac_, {.m = product.pixels, .n = mac_.columns, .k = product.steps * mac_.rows});
    }
    std::uint64_t leastCycles() const { return cyclesOf({}); }
    std::uint64_t mostCycles() const { return cyclesOf(most_); }

    /// A command as close as possible to `cycles`, at most mostCycles(), and if possible with
    /// `pixels` pixels.
    Product near(std::uint64_t cycles, std::uint64_t pixels) const {
        Product product{1, std::clamp<std::uint64_t>(pixels, 1, pixelsNear(cycles, 1))};
        product.steps = stepsNear(cycles, product.pixels);
        if (mac_.dataflow == hw::Dataflow::kOutputStationary) {
            return product;
        }
        // The finer of the two factors compensates for the rounding of the other.
        if (product.steps <= product.pixels) {
            if (cyclesOf(product) < cycles && product.steps < most_.steps) {
                ++product.steps;
            }
            product.pixels = pixelsNear(cycles, product.steps);
        } else if (product.steps == most_.steps) {
            product.pixels = std::min(pixelsNear(cycles, most_.steps) + 1, most_.pixels);
            product.steps = stepsNear(cycles, product.pixels);
        }
        return product;
    }

  private:
    static constexpr std::uint64_t kAccumulatorBytes = 4;
    static constexpr std::uint64_t kMostSteps = UINT16_MAX;  // source: hw::MacConv, filterHeight

    std::uint64_t stepsNear(std::uint64_t cycles, std::uint64_t pixels) const {
        return countNear(cycles, most_.steps, [&](std::uint64_t steps) {
            return cyclesOf({steps, pixels});
        });
    }
    std::uint64_t pixelsNear(std::uint64_t cycles, std::uint64_t steps) const {
        // A group of as many pixels as rows takes the time of one, where they are contiguous.
        const std::uint64_t together =
                mac_.dataflow == hw::Dataflow::kOutputStationary ? mac_.rows : 1;
        const std::uint64_t groups =
                countNear(cycles, divideUp(most_.pixels, together), [&](std::uint64_t count) {
                    return cyclesOf({steps, count * together});
                });
        return std::min(groups * together, most_.pixels);
    }

    /// The number from 1 to `most` for which the monotonic `cyclesAt` is closest to `cycles`.
    template <typename CyclesAt>
    static std::uint64_t countNear(std::uint64_t cycles, std::uint64_t most,
                                   const CyclesAt& cyclesAt) {
        const std::uint64_t first = cyclesAt(1);
        const std::uint64_t each = cyclesAt(2) - first;
        const std::uint64_t more = cycles > first ? (cycles - first + each / 2) / each : 0;
        return std::min(1 + more, most);
    }

    hw::MacConfig mac_;
    Product most_;
};

double transferCycles(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    return real(layer.inputBytes + layer.filterBytes + layer.outputBytes) /
           device.dramBytesPerCycle;
}

/// The time without overlap is about the shorter of array and transfers, divided by the number of
/// tiles; each tile adds a latency. Their sum is smallest where both are equal.
std::uint64_t quickTiles(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    const double shorter = std::min(real(layer.macCycles), transferCycles(layer, device));
    const double latency = std::max<std::uint32_t>(device.dramLatencyCycles, 1);
    const auto tiles = static_cast<std::uint64_t>(std::llround(std::sqrt(shorter / latency)));
    return std::max(tiles, kLeastTiles);
}

/// The number of tiles if two are in SRAM at the same time; 0 if there are too many.
std::uint64_t tilesOf(const SyntheticLayer& layer, const driver::DeviceInfo& device,
                      const Products& products, bool inLargestTiles) {
    if (!products.exist() || layer.macCycles / products.mostCycles() >= kMostTiles) {
        return 0;
    }
    const SramHalf half(device, 0);
    const auto tilesFor = [](std::uint64_t bytes, std::uint64_t room) {
        return divideUp(bytes, std::min(room, kWindowBytes));
    };
    const std::uint64_t tiles = std::max({inLargestTiles ? 1 : quickTiles(layer, device),
                                          tilesFor(layer.inputBytes, half.inputBytes()),
                                          tilesFor(layer.pooledBytes, half.inputBytes()),
                                          tilesFor(layer.filterBytes, half.filterBytes()),
                                          tilesFor(layer.outputBytes, half.outputBytes())});
    return tiles <= kMostTiles ? tiles : 0;
}

/// Consecutive addresses of a window of memory, which start over at its end.
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

/// Writes the commands of all layers. Tiles are numbered over all layers, so that the tiles of a
/// layer follow those of the previous one in the halves of the SRAM.
class WorkWriter {
  public:
    WorkWriter(const driver::DeviceInfo& device, const Products& products, std::uint16_t region,
               std::uint64_t windowBytes)
        : device_(device),
          products_(products),
          input_(region, 0, windowBytes),
          filter_(region, windowBytes, windowBytes),
          output_(region, 2 * windowBytes, windowBytes) {}

    void add(const SyntheticLayer& layer, std::uint64_t tiles) {
        const std::uint32_t results = stored_;
        for (std::uint64_t i = 0; i < tiles; ++i) {
            loadInput(partOf(layer.pooledBytes, tiles, i), half(tile_ + i), results);
        }
        std::uint64_t computed = 0;
        for (std::uint64_t i = 0; i < tiles; ++i) {
            const SramHalf place = half(tile_);
            loadInput(partOf(layer.inputBytes, tiles, i), place, results);
            loadFilter(partOf(layer.filterBytes, tiles, i), place);
            computed += compute(layer, layer.macCycles * (i + 1) / tiles, computed, place);
            store(partOf(layer.outputBytes, tiles, i), place);
            endOfTile_[tile_ % 2] = {.computed = computed_, .stored = stored_};
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

    /// Commands of the array and stores up to a tile's end.
    struct TileEnd {
        std::uint32_t computed = 0, stored = 0;
    };
    /// The commands of the previous tile in the same half of the SRAM.
    const TileEnd& before() const { return endOfTile_[tile_ % 2]; }

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

    /// `results`: the number of stores after which the input is available.
    void loadInput(std::uint64_t bytes, const SramHalf& place, std::uint32_t results) {
        if (bytes == 0) {
            return;
        }
        const std::array waits = {waitFor(Engine::kMac, before().computed),
                                  waitFor(Engine::kDma2, results)};
        transfer(Engine::kDma0, input_.take(bytes), inSram(place.input), bytes, waits);
        ++loadedInputs_;
    }

    void loadFilter(std::uint64_t bytes, const SramHalf& place) {
        if (bytes == 0) {
            return;
        }
        const std::array waits = {waitFor(Engine::kMac, before().computed)};
        transfer(Engine::kDma1, filter_.take(bytes), inSram(place.filter), bytes, waits);
        ++loadedFilters_;
    }

    /// Writes commands that take about the cycles from `done` to `goal` of the layer; returns their
    /// cycles. The next tile compensates for the difference.
    std::uint64_t compute(const SyntheticLayer& layer, std::uint64_t goal, std::uint64_t done,
                          const SramHalf& place) {
        const std::uint64_t cycles = goal > done ? goal - done : 1;
        const double resultsPerCycle =
                real(layer.results) / real(std::max<std::uint64_t>(layer.macCycles, 1));
        const std::uint64_t slack = std::max(products_.leastCycles() / 2, cycles / kSlackShare);
        std::uint64_t taken = 0;
        do {
            const std::uint64_t left = std::min(cycles - taken, products_.mostCycles());
            const double results = resultsPerCycle * real(left);
            const Product product =
                    products_.near(left, static_cast<std::uint64_t>(results) / device_.macColumns);
            multiply(product, place);
            taken += products_.cyclesOf(product);
        } while (taken + slack < cycles);
        return taken;
    }

    void multiply(const Product& product, const SramHalf& place) {
        hw::MacConv work{};
        work.inputType = work.filterType = work.outputType = hw::ElementType::kInt8;
        work.flags = hw::kMacDrain;
        work.inputSram = static_cast<std::uint32_t>(place.input);
        work.filterSram = static_cast<std::uint32_t>(place.filter);
        work.outputSram = static_cast<std::uint32_t>(place.output);
        work.accumulatorOffset =
                static_cast<std::uint32_t>(computed_ % 2 * (device_.accumulatorBytes / 2));
        work.inputHeight = static_cast<std::uint32_t>(product.pixels + product.steps - 1);
        work.outputHeight = static_cast<std::uint32_t>(product.pixels);
        work.filterHeight = static_cast<std::uint16_t>(product.steps);
        work.inputWidth = work.outputWidth = work.filterWidth = 1;
        work.inputChannels = work.inputRowBytes = work.inputPixelBytes = device_.macRows;
        work.outputChannels = work.outputRowBytes = work.outputPixelBytes = device_.macColumns;
        work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
        work.outputStage.clampMin = INT8_MIN;
        work.outputStage.clampMax = INT8_MAX;
        const std::array waits = {waitFor(Engine::kDma0, loadedInputs_),
                                  waitFor(Engine::kDma1, loadedFilters_),
                                  waitFor(Engine::kDma2, before().stored)};
        writer_.add(contextOf(Engine::kMac, waits), work);
        ++computed_;
    }

    void store(std::uint64_t bytes, const SramHalf& place) {
        if (bytes == 0) {
            return;
        }
        const std::array waits = {waitFor(Engine::kMac, computed_)};
        transfer(Engine::kDma2, inSram(place.output), output_.take(bytes), bytes, waits);
        ++stored_;
    }

    const driver::DeviceInfo& device_;
    const Products& products_;
    hw::CommandWriter writer_;
    MemoryWalk input_, filter_, output_;
    std::uint64_t tile_ = 0;  // from the first layer on
    std::uint32_t operation_ = 0, operationTile_ = 0;
    std::uint32_t loadedInputs_ = 0, loadedFilters_ = 0, computed_ = 0, stored_ = 0;  // commands
    std::array<TileEnd, 2> endOfTile_{};
};

/// The bytes that a layer moves in one direction; at least 1.
std::uint64_t largestBytes(const SyntheticWork& work) {
    std::uint64_t most = 1;
    for (const SyntheticLayer& layer : work.layers) {
        most = std::max(
                {most, layer.inputBytes, layer.filterBytes, layer.outputBytes, layer.pooledBytes});
    }
    return most;
}

std::uint64_t estimateOf(const SyntheticLayer& layer, const driver::DeviceInfo& device) {
    const double pool = real(layer.pooledBytes) / device.dramBytesPerCycle;
    return static_cast<std::uint64_t>(
            pool + std::max(real(layer.macCycles), transferCycles(layer, device)));
}

}  // namespace

driver::Result<driver::CompiledModel> withSyntheticWork(driver::CompiledModel model,
                                                        const SyntheticWork& work,
                                                        const driver::DeviceInfo& device) {
    const bool isBroadcast =
            device.dataflow == static_cast<std::uint32_t>(hw::Dataflow::kBroadcast);
    if (isBroadcast ? device.macRows < kLeastBroadcastRows : device.weightDoubleBuffer) {
        return driver::invalidArgument(
                "synthetic work is for systolic arrays without double buffering, and broadcasts "
                "over more than four channels");
    }
    const Products products(device);
    const std::uint64_t window = roundUp(std::min(largestBytes(work), kWindowBytes), kBurstBytes);
    std::erase_if(model.regions,
                  [](const driver::Region& region) { return region.kind == RegionKind::kScratch; });
    const auto region = static_cast<std::uint16_t>(model.regions.size());
    model.scratchBytes = 3 * window;
    model.regions.push_back({RegionKind::kScratch, 0, model.scratchBytes, true});

    WorkWriter writer(device, products, region, window);
    model.estimatedCycles = 0;
    for (const SyntheticLayer& layer : work.layers) {
        const std::uint64_t tiles = tilesOf(layer, device, products, work.inLargestTiles);
        if (tiles == 0) {
            return driver::fail(
                    driver::ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("{} cycles with {} bytes of input, {} of filters and {} of output "
                                "take more than {} tiles of half of {} bytes of SRAM, or commands "
                                "of the array",
                                layer.macCycles, layer.inputBytes, layer.filterBytes,
                                layer.outputBytes, kMostTiles, device.sramBytes));
        }
        writer.add(layer, tiles);
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

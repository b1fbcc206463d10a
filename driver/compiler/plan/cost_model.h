// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/port/device_info.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// The work of the MAC array in one command.
struct MacWork {
    std::uint64_t pixels = 0, channels = 0;  // of the output
    std::uint64_t tiles = 0;                 // of 2 x 2 pixels that cover it (tilesOf)
    std::uint32_t filterHeight = 1, filterWidth = 1, strideWidth = 1;
    std::uint32_t depth = 1;  // input channels that one result takes
    bool isDepthwise = false;
    bool hasUnitSteps = false;  // stride and dilation are 1
    bool isFloat = false;

    std::uint64_t products() const { return std::uint64_t{filterHeight} * filterWidth * depth; }
};

constexpr std::uint64_t tilesOf(std::uint64_t height, std::uint64_t width) {
    return ((height + 1) / 2) * ((width + 1) / 2);
}

/// The driver's own estimates, from the configuration registers and the assumptions named here.
/// They are not the device's formulas: contention, bank conflicts, page walks, DRAM rows and load
/// from outside are left out.
class CostModel {
  public:
    explicit CostModel(const DeviceInfo& device) : device_(device) {}

    // chosen: a controller reads, checks and forwards a command of 100 to 200 bytes in about this
    // time
    static constexpr double kDispatchCycles = 40;
    // Fetched from memory for a command on average: 128 for a transfer, 192 for a convolution.
    static constexpr double kCommandBytes = 160;
    // chosen: tie-breaker between plans; commands cost the controller and the simulation even where
    // they hide
    static constexpr double kCommandPenaltyCycles = 48;
    // chosen: share of a node's first loads and last store that its neighbors' work does not hide
    static constexpr double kExposedShare = 0.25;
    // chosen: share of the last tile's computation that the next node's loads do not hide
    static constexpr double kExposedTileShare = 0.25;
    // chosen: share of the last block's drain that the next node's work does not hide
    static constexpr double kExposedTailShare = 0.75;
    static constexpr double kDmaStartCycles = 8;       // chosen: descriptor decode
    static constexpr double kDecoderStartCycles = 24;  // chosen: one per symbol of the code
    // chosen: a translation that misses, three cached levels
    static constexpr double kWalkCycles = 60;
    // chosen: on average of the bytes of a small page, as most lie in large pages
    static constexpr double kHiddenWalkCycles = 3;
    // chosen: rows far apart lie in large pages mostly, each with a walk
    static constexpr double kStridedPageBytes = 65536;
    // chosen: engines run dry, a read of memory, the stream fetched again
    static constexpr double kControlCycles = 600;
    static constexpr double kJobCycles = 630;  // chosen: the controller's own work for a job
    // Commands that the firmware keeps in its local memory for one engine, at most as many as the
    // engine's queue takes. source: firmware/core/base/local_memory.h
    static constexpr std::uint32_t kMostInFlight = 16;
    // The controller reads the stream in blocks, each twice as long as the one before. source:
    // firmware/core/base/local_memory.h
    static constexpr std::uint64_t kFirstFetchBytes = 512;
    static constexpr std::uint64_t kMostFetchBytes = 4096;
    // The controller's own reads and writes, one after the other, in whole bursts. source:
    // firmware/README.md; before the first command the log's record and counter, five regions, a
    // block of the stream; behind the last one the log again, the job's record, fence, counters
    static constexpr double kJobBeginAccesses = 4;
    static constexpr double kJobBeginBytes = 64 + 64 + 128 + kFirstFetchBytes;
    static constexpr double kJobEndAccesses = 5;
    static constexpr double kJobEndBytes = 64 + 64 + 128 + 64 + 64;
    static constexpr std::uint32_t kBurstBytes =
            64;  // chosen: common DRAM burst; a shorter row costs a complete one
    static constexpr double kVectorStartCycles = 16;  // chosen: pipeline fill
    static constexpr double kExponentialCycles = 4;   // chosen: per element and lane

    double macCycles(const MacWork& work) const;
    double outputStageCycles(std::uint64_t elements) const;

    /// Bytes that a bus carries for rows, each of which takes complete bursts.
    static double busBytes(std::uint64_t rows, std::uint64_t rowBytes);

    /// A DMA command alone: start, latency and the bytes over the narrower of channel and DRAM, or
    /// the decoder's time for `decodedBytes` if it takes longer. 0 decoded bytes: nothing is coded.
    double dmaCycles(double busBytes, double decodedBytes = 0) const;
    /// Without the decoder's start.
    double decodeCycles(double decodedBytes) const;
    double dmaLatency() const;
    double channelCycles(double busBytes) const;
    double dramCycles(double busBytes) const;

    /// Cycles of page walks for rows `stride` bytes apart, beyond those of the same bytes in one
    /// piece.
    static double strideCycles(std::uint64_t rows, std::uint64_t rowBytes, std::uint64_t stride);

    /// Cycles of a job before its first command, and after the end of its last one.
    double jobBeginCycles() const;
    double jobEndCycles() const;

    double vectorCycles(const hw::VecPool& work) const;
    double vectorCycles(const hw::VecEltwise& work) const;
    double vectorCycles(const hw::VecUnary& work) const;
    double vectorCycles(const hw::VecSoftmax& work) const;
    double vectorCycles(const hw::VecReduce& work) const;
    double vectorCycles(const hw::VecOperator& work) const;

    const DeviceInfo& device() const { return device_; }

  private:
    bool takesWinograd(const MacWork& work) const;
    double broadcastPasses(const MacWork& work) const;
    double lanes(hw::ElementType type) const;

    const DeviceInfo& device_;
};

/// The load of one command on the machine, for the pipeline estimate.
struct CommandCost {
    double engineCycles = 0;  // MAC: of the array
    double stageCycles = 0;   // MAC: output stage, overlaps the next command
    double busBytes = 0;      // DMA: of the channel
    double dramBytes = 0;     // DMA: between memory and chip (twice for a copy within memory)
    double decodeCycles = 0;  // DMA: of the decoder, without its start
    std::uint64_t macs = 0;
};

CommandCost costOf(const CostModel& model, const hw::DmaTransfer& work);
CommandCost costOf(const CostModel& model, const hw::DmaFill& work);
CommandCost costOf(const CostModel& model, const hw::MacConv& work);

template <typename VectorWork>
CommandCost costOf(const CostModel& model, const VectorWork& work) {
    return {model.vectorCycles(work), 0, 0, 0, 0};
}

}  // namespace vnpu::driver

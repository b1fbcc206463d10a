// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// A matrix product on the array: M rows of output, N columns, K reduced.
struct GemmShape {
    std::uint64_t m = 0;
    std::uint64_t n = 0;
    std::uint64_t k = 0;
};

/// Cycles of one 8-bit matrix product, from the load of the first tile to the last result; R rows,
/// C columns.
///
/// weightDoubleBuffer off, folds run strictly one after another:
/// - weight stationary: ceil(K/R) * ceil(N/C) folds of 2R + C + M - 2 cycles (load R, stream M,
/// skew
///   R - 1 and C - 1)
/// - output stationary: ceil(M/R) * ceil(N/C) folds of R + C + K - 2 cycles (stream K, skew R - 1
///   and C - 1)
/// source: SCALE-Sim, ISPASS 2020, analytical model; version 3 for the output stationary fold
/// without its drain.
///
/// weightDoubleBuffer on, the load (or drain) of one stationary tile overlaps the stream of
/// another: the first fold costs as above, each later one max(M, R) (weight stationary) or
/// max(K, R) (output stationary). source: ONNXim's systolic core issues back-to-back tiles every
/// max(streamed rows, array height) cycles.
///
/// kBroadcast: operands reach a row and column without skew, one step per cycle: ceil(K/R) *
/// ceil(N/C) * M. source: NVDLA hardware architecture, convolution MAC: one atomic operation per
/// cycle.
std::uint64_t gemmCycles(const MacConfig& config, const GemmShape& shape);

/// Cycles of a kMacConv command, or of one of its blocks. The output stage works while the array
/// processes the next block or command.
struct MacCycles {
    std::uint64_t active = 0;  // while the array multiplies
    std::uint64_t array = 0;   // from the command's start until its last block leaves the array
    std::uint64_t outputStage = 0;  // of the last block, after it has left the array
};

/// A convolution is the matrix product M = output pixels, N = output channels, K = filter taps *
/// input channels.
///
/// Weight stationary with tapsApart: a fold holds channels of one tap only, so there are taps *
/// ceil(inputChannels/R) of them. source: ONNXim maps a convolution tap by tap.
///
/// Broadcast dataflow: an atomic operation holds channels of one tap only, so its K folds are taps
/// * ceil(inputChannels/R). For images of up to four channels they are ceil(filterHeight/L) *
/// ceil(filterWidth*inputChannels/R), with L = 4, 2 or 1 filter rows side by side, where
/// max(filterWidth, strideWidth) * inputChannels is at most R/L (NVDLA: direct mode, image mode,
/// channel post-extension). With winograd, a 3 x 3 filter at stride 1 over more channels than an
/// image has takes 16 steps per tile of 2 x 2 outputs, instead of 9 for each output; ragged tiles
/// cost as much as whole ones (Lavin and Gray, 2015, F(2x2, 3x3); NVDLA unit description, Winograd
/// mode).
///
/// Depthwise: channels side by side on depthwiseColumns (0: columns), each with its own input
/// stream, taps on the rows: M = output pixels, N = channels, K = taps (chosen: the mapping that
/// keeps every column busy; a plain systolic array has none). float32 takes floatDivisor times as
/// long.
///
/// The output stage takes ceil(M*N / outputLanes) with kMacDrain, else 0. With several blocks, each
/// block is a separate product and enters the output stage when its predecessor has left it; until
/// then it waits in the array. The output stage is busy with an earlier command for the first
/// `outputBusyCycles`.
MacCycles macConvCycles(const MacConfig& config, const MacConv& work,
                        std::uint64_t outputBusyCycles = 0);

/// Multiply-accumulates of the command, padding taps included.
std::uint64_t macConvOperations(const MacConv& work);

/// Bytes that the command moves between SRAM and the array, for bank pressure: the input once per
/// column fold (depthwise: once per product), the filter once per block (output stationary: once
/// per row fold), the output once when drained. Partial sums stay in the accumulators. source: the
/// SRAM counts of SCALE-Sim's analytical model, but for its partial sums.
struct MacTraffic {
    std::uint64_t inputBytes = 0;
    std::uint64_t filterBytes = 0;
    std::uint64_t outputBytes = 0;
};
MacTraffic macConvTraffic(const MacConfig& config, const MacConv& work);

/// Work of a command, as counted for energy.
struct MacEffort {
    std::uint64_t products = 0;  // computed by the array, padding taps included
    std::uint64_t results = 0;   // through the output stage
    std::uint64_t accumulatorBytes = 0;
};

/// Products are macConvOperations(), with Winograd 16 per tile, input and output channel (the
/// transforms are not counted). Accumulators hold 4 bytes per output and block. Weight stationary
/// and broadcast: each fold of the reduction adds to the sums of earlier folds, so f folds read f -
/// 1 times and write f times. Output stationary: sums stay in the array and are written once.
/// kMacAccumulate adds one read before, kMacDrain one read after. source: Eyeriss (Chen, Emer and
/// Sze, ISCA 2016), which classifies dataflows by where partial sums are kept.
MacEffort macConvEffort(const MacConfig& config, const MacConv& work);

}  // namespace vnpu::hw

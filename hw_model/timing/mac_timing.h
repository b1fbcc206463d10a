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

/// Cycles of one 8-bit matrix product, folds strictly one after another (weightDoubleBuffer off):
///   weight stationary  ceil(K/R) * ceil(N/C) folds of 2R + C + M - 2
///   output stationary  ceil(M/R) * ceil(N/C) folds of R + C + K - 2
/// source: SCALE-Sim, ISPASS 2020, analytical model, and its version 3 for the output stationary drain.
/// With weightDoubleBuffer the R cycles of loading hide behind the previous fold's stream where that is at least
/// R long: max(M, R) per fold plus one fill R + C + R - 2.
/// kBroadcast (NVDLA class): rows are channels of one output pixel, no skew: ceil(K/R) * ceil(N/C) * M.
std::uint64_t gemmCycles(const MacConfig& config, const GemmShape& shape);

/// Cycles that a kMacConv command keeps the array busy, and the ones that its output stage takes afterwards; the output
/// stage works while the array goes on with the next command.
struct MacCycles {
    std::uint64_t array = 0;
    std::uint64_t outputStage = 0;
};
MacCycles macConvCycles(const MacConfig& config, const MacConv& work);

/// Multiply-accumulates of the command, padding taps included.
std::uint64_t macConvOperations(const MacConv& work);

/// Bytes that the command moves between SRAM and the array, for bank pressure.
struct MacTraffic {
    std::uint64_t inputBytes = 0;
    std::uint64_t filterBytes = 0;
    std::uint64_t outputBytes = 0;
};
MacTraffic macConvTraffic(const MacConfig& config, const MacConv& work);

}  // namespace vnpu::hw

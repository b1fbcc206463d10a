// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Cycles that `bytes` occupy a resource of `bytesPerCycle`, rounded up.
std::uint64_t transferCycles(double bytesPerCycle, std::uint64_t bytes);

/// Bytes that `rows` rows of `rowBytes` occupy the bus with: each row rounds up to a burst.
std::uint64_t busBytes(const DmaConfig& config, std::uint64_t rows, std::uint64_t rowBytes);

/// The share of time in which refresh holds the DRAM's banks: refreshCycles /
/// refreshIntervalCycles.
double dramRefreshShare(const DramConfig& config);

/// Bytes per device cycle that the DRAM sustains for long runs, without load from outside: the peak
/// less refresh. source: JEDEC JESD209-4, all-bank refresh, tRFCab once every tREFI; spread evenly
/// here, so a short transfer never meets a whole one.
double dramSustainedRate(const DramConfig& config);

/// Runs of bytes as a transfer's descriptor names them, innermost first.
struct DramRuns {
    std::uint64_t runBytes = 0;
    std::uint32_t counts[3] = {1, 1, 1};
    std::uint32_t strides[3] = {};
};

/// How often such a transfer comes to another row of the DRAM. Runs that lie no further apart than
/// a row share rows, so that what they span counts; others come to rows of their own each time. As
/// if rows began where runs do. 0 where rows are not modelled.
std::uint64_t dramRowVisits(const DramConfig& config, const DramRuns& runs);

/// Bytes per device cycle for a transfer of so many bus bytes in so many visits, at most the
/// sustained rate. Visits go to the banks in turn. The data bus is busy for D = bytes /
/// bytesPerCycle; a bank for rowMissCycles and its data at each visit, so that all banks together
/// work (visits - 1) * rowMissCycles + D, at most `banks` at once. The first row is opened within
/// the latency. So the transfer takes
///   max(D, (D + (visits - 1) * rowMissCycles) / banks)
/// and refresh its share of that. Not modelled: strides that come to the same bank each time,
/// limits of activations (tRRD, tFAW), rows left open by another transfer.
double dramRate(const DramConfig& config, std::uint64_t bytes, std::uint64_t visits);

}  // namespace vnpu::hw

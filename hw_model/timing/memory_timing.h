// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Cycles for which `bytes` occupy a resource of `bytesPerCycle`, rounded up.
std::uint64_t transferCycles(double bytesPerCycle, std::uint64_t bytes);

/// Bus bytes of `rows` rows of `rowBytes`: each row is rounded up to whole bursts.
std::uint64_t busBytes(const DmaConfig& config, std::uint64_t rows, std::uint64_t rowBytes);

/// The fraction of time in which refresh blocks the DRAM's banks: refreshCycles /
/// refreshIntervalCycles.
double dramRefreshShare(const DramConfig& config);

/// Bytes per device cycle that the DRAM sustains, without background load: the peak minus refresh.
/// source: JEDEC JESD209-4, all-bank refresh, tRFCab once every tREFI; spread evenly here, so short
/// transfers never wait for a whole refresh. With the banked model, the rate of a long read of
/// consecutive addresses (dram_banks.h): a refresh also costs the precharge before and the
/// activation after it; bursts are tCCD_L apart where the mapping keeps to a bank, and where it
/// changes banks with every burst, all rows change together, limited by tRRD and tFAW.
double dramSustainedRate(const DramConfig& config);

/// Device cycles from a request to its first data if nothing else uses the DRAM, rounded up: the
/// configured latency; with the banked model, also the activation of a row and the read.
std::uint64_t dramLatencyCycles(const DramConfig& config);

/// Runs of bytes as a transfer's descriptor lists them, innermost first.
struct DramRuns {
    std::uint64_t runBytes = 0;
    std::uint32_t counts[3] = {1, 1, 1};
    std::uint32_t strides[3] = {};
};

/// The number of DRAM rows that such a transfer opens. Runs at most a row apart share rows, so
/// their span counts; runs further apart open rows of their own each time. Assumes that runs begin
/// at row boundaries. 0 if rows are not modeled, or bank by bank.
std::uint64_t dramRowVisits(const DramConfig& config, const DramRuns& runs);

/// Bytes per device cycle of a transfer of `bytes` bus bytes that opens rows `visits` times, at
/// most the sustained rate. Visits go to the banks in turn. The data bus is busy for D = bytes /
/// bytesPerCycle; a bank for rowMissCycles and its data at each visit, so all banks together work
/// (visits - 1) * rowMissCycles + D, at most `banks` at once. The first row is opened within the
/// latency. So the transfer takes max(D, (D + (visits - 1) * rowMissCycles) / banks), plus the
/// share of refresh. With the banked model, the peak: dram_banks.h takes the rest into account. Not
/// modeled: strides that hit the same bank each time, activation limits
/// (tRRD, tFAW), rows left open by another transfer.
double dramRate(const DramConfig& config, std::uint64_t bytes, std::uint64_t visits);

}  // namespace vnpu::hw

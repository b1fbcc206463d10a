// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/validate/gap.h"
#include "sim/validate/measurement.h"

namespace vnpu::sim {

/// The work of one operation by closed forms of published figures. Nothing here may come from the
/// device's own functions or configuration, because it is what the device's counters are held
/// against.
struct OperationFigures {
    double arrayCycles = 0.0;   // in one block
    double fillCycles = 0.0;    // of each further block: the array fills and empties again
    double outputCycles = 0.0;  // of the output stage, if nothing overlapped it
    double vectorCycles = 0.0;  // at most, of the vector unit
};

/// The work of a model by closed forms.
struct WorkFigures {
    std::vector<OperationFigures> operations{};
    double leastBytes = 0.0;  // of memory, if only what cannot stay on the chip is moved
    double mostBytes = 0.0;   // if every operand of every layer is moved once
    /// What bursts of which a part is used take of memory in addition, at least and at most; 0
    /// where nothing says so.
    double leastUnusedBytes = 0.0, mostUnusedBytes = 0.0;
};

/// A memory as published.
struct MemoryFigures {
    double bytesPerCycle = 0.0;
    double latencyCycles = 0.0;
};

/// What a transfer at the end of an operation takes beside latency and bytes: start of the channel,
/// bus, a page walk of three levels and the dispatch of the command.
// source: sim/configs, the same on all devices: 8 + 4 + 3 * 20 cycles; chosen: 40 for the dispatch
inline constexpr double kTransferOverheadCycles = 112.0;

/// A reference's time by parts: what was published, and what its rules give, implemented again.
struct ReferenceTime {
    double published = 0.0;  // cycles
    double array = 0.0;      // by its rules
    double outputs = 0.0;    // what output stage, biases and pools add to the array
    double transfers = 0.0;  // what transfers add to both
    std::string rules{};     // name: "the sheet's rules"
    double rulesTolerance = 0.0;

    double byRules() const { return array + outputs + transfers; }
};

/// How far the device's counters may be from the closed forms.
struct GapLimits {
    std::string array{};          // name of the array's closed form
    double arrayTolerance = 0.0;  // of array cycles, to both sides
    double bytesTolerance = 0.0;  // above the most bytes
    double mostLost = 0.0;        // share of what could overlap that does not
    double restTolerance = 0.0;   // of the run's time, for what no part accounts for
};

/// The time of a device by its counters, summed over runs, and the figures to hold it against.
///
/// A run of operations that follow each other, and of which each overlaps all of its computation
/// with all of its transfers, takes the sum of
/// - engine: cycles of the array, with what its output stage and the vector unit add,
/// - waiting: what transfers take longer than the engine, operation by operation.
/// It takes longer where the first load, the last result or an unequal share of transfers in the
/// phases of an operation do not overlap, and where nothing hides a latency; it takes less where
/// operations overlap each other.
class DeviceTime {
  public:
    void add(const Measurement& run, const WorkFigures& figures, const MemoryFigures& memory,
             double repeat = 1.0);

    Gap gapTo(const ReferenceTime& reference, const GapLimits& limits) const;

  private:
    Part arrayPart(const ReferenceTime& reference, const GapLimits& limits) const;
    Part outputPart(const ReferenceTime& reference, const GapLimits& limits) const;
    Part transferPart(const ReferenceTime& reference, const GapLimits& limits) const;
    Part overlapPart(const GapLimits& limits) const;
    Part latencyPart(const GapLimits& limits) const;

    /// What the run took longer than with perfect overlap within operations.
    double excess() const { return cycles_ - engine_ - waiting_; }

    double cycles_ = 0.0;
    double array_ = 0.0, mac_ = 0.0, vector_ = 0.0, engine_ = 0.0;
    double memory_ = 0.0, waiting_ = 0.0;
    double hideable_ = 0.0;   // the shorter of computation and transfers of each operation
    double latencies_ = 0.0;  // of the first load and the last result of each operation
    double bytes_ = 0.0, burstBytes_ = 0.0;  // as used, and in whole bursts
    double arrayFigure_ = 0.0, fills_ = 0.0, outputFigure_ = 0.0, vectorFigure_ = 0.0,
           leastBytes_ = 0.0, mostBytes_ = 0.0, leastUnused_ = 0.0, mostUnused_ = 0.0;
    /// Of all operations with products: cycles of the array with its output stage, to the longer
    /// of the two by closed form.
    double leastMacShare_ = 1.0;
};

}  // namespace vnpu::sim

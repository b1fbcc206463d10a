// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/blocks/base/short_list.h"
#include "hw_model/blocks/base/strided_range.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// What one command reads and writes in SRAM.
struct SramAccess {
    StridedRange range;
    std::uint64_t trafficBytes =
            0;  // through the bank ports; more than the range where it is read again and again
    bool isWrite = false;
};

/// The on-chip side of one command. Only bytes that the command really touches count: input rows
/// that its windows never reach are left out. Of resident memory only the traffic is known: it is
/// named by address, as memory is.
class Footprint {
  public:
    static constexpr std::size_t kMaxAccesses = kMaxVecOperands;  // a convolution has five

    void read(const StridedRange& range, std::uint64_t trafficBytes) {
        add({range, trafficBytes, false});
    }
    void write(const StridedRange& range, std::uint64_t trafficBytes) {
        add({range, trafficBytes, true});
    }

    void useResident(std::uint64_t trafficBytes) { residentBytes_ += trafficBytes; }

    /// What it touches of the accumulator memory, which has no banks.
    void useAccumulators(const StridedRange& range, bool isWrite) {
        accumulators_ = {range, 0, isWrite};
    }

    std::span<const SramAccess> accesses() const { return accesses_.all(); }
    std::uint64_t residentBytes() const { return residentBytes_; }
    const SramAccess& accumulators() const { return accumulators_; }
    std::uint64_t trafficBytes() const;

    /// XORs every written byte of `sram` and `accumulators` with `mask`.
    void scrambleWrites(std::byte* sram, std::byte* accumulators, std::byte mask) const;

  private:
    void add(const SramAccess& access) {
        if (!access.range.isEmpty()) {
            accesses_.add(access);
        }
    }

    ShortList<SramAccess, kMaxAccesses> accesses_;
    std::uint64_t residentBytes_ = 0;
    SramAccess accumulators_;
};

/// Footprints of validated commands.
Footprint footprintOf(const MacConfig& config, const MacConv& work);
Footprint footprintOf(const VecPool& work);
Footprint footprintOf(const VecEltwise& work);
Footprint footprintOf(const VecUnary& work);
Footprint footprintOf(const VecSoftmax& work);
Footprint footprintOf(const VecReduce& work);
Footprint footprintOf(const VecOperator& work);

}  // namespace vnpu::hw

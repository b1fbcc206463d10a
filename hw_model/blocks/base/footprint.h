// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/blocks/base/short_list.h"
#include "hw_model/blocks/base/strided_range.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// One range of SRAM that a command reads or writes.
struct SramAccess {
    StridedRange range;
    std::uint64_t trafficBytes =
            0;  // bytes through the bank ports; more than the range if it is read repeatedly
    bool isWrite = false;
};

/// On-chip memory that one command uses. Only bytes that the command really accesses count: input
/// rows outside all of its windows are left out. For resident memory only the amount of traffic is
/// known, because commands reach it by address like system memory.
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

    /// The part of the accumulator memory that the command uses; that memory has no banks.
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

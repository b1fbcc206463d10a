// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/ir/byte_set.h"
#include "driver/compiler/stream/command_list.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// On-chip bytes that are live at one place of a stream: a command behind it reads them, and no
/// earlier one writes them. Stepped backwards, command by command. Reads count with all bytes that
/// they span; a byte is dead before a write only if the write covers it.
class LiveMemory {
  public:
    explicit LiveMemory(const DeviceInfo& device)
        : sram_(device.sramBytes), accumulators_(device.accumulatorBytes) {}

    /// Moves from the place behind the command to the place before it.
    void stepBack(const Payload& payload);

    /// Adds the bytes live elsewhere; returns whether the set grew.
    bool unite(const LiveMemory& other);

    /// Removes bytes of SRAM that need not be kept.
    void exclude(const Span64& bytes) { sram_.remove(bytes.begin, bytes.end); }

    std::uint64_t bytes() const { return sram_.count() + accumulators_.count(); }
    /// Live bytes in this range of SRAM.
    std::uint64_t bytes(const Span64& within) const {
        return sram_.count(within.begin, within.end);
    }

    /// Fills in the live bytes, in at most hw::kMaxLiveRanges ranges.
    void describe(hw::Checkpoint& checkpoint) const;

  private:
    void step(const hw::MacConv& work);
    template <typename Work>
    void step(const Work& work);

    ByteSet sram_;
    ByteSet accumulators_;
};

}  // namespace vnpu::driver

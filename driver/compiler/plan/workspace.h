// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/compiler/ir/range_allocator.h"
#include "driver/port/device_info.h"

namespace vnpu::driver {

inline constexpr std::uint32_t kSramAlignment =
        32;  // chosen: a bank port's width, and enough for 32-bit elements

/// `slots` equal buffers of one stream of tiles. No slots: the stream does not exist.
struct SlotSet {
    std::uint32_t slots = 0;
    std::uint64_t slotBytes = 0;
    std::vector<std::uint32_t> addresses;

    std::uint64_t totalBytes() const { return slots * slotBytes; }
};

/// The SRAM that one node may use: the part without resident tensors while it runs.
struct Workspace {
    std::vector<Span64> free;
    std::uint64_t bankBytes = 0;  // whole kSramAlignment; 0: buffers are not spread over banks
    Side side = Side::kLow;  // neighboring nodes take opposite sides, so that one can load while
                             // the other computes
    /// Loads of a node whose buffers take at most as many bytes, and are filled once each, run
    /// ahead of it while other nodes compute.
    std::uint64_t aheadBytes = 0;

    std::uint64_t freeBytes() const;

    bool operator==(const Workspace&) const = default;

    /// Places every slot of every set, in banks of their own where there is room, else as tightly
    /// as possible. False if they do not fit; the sets' addresses are then undefined.
    bool place(std::span<SlotSet* const> sets) const;
};

}  // namespace vnpu::driver

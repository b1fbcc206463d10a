// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/memory/address_space.h"
#include "driver/memory/bus_pages.h"
#include "driver/memory/context.h"
#include "driver/memory/on_chip_memory.h"

namespace vnpu::driver {

/// Copies of a compiled model's constants in the device's on-chip memory. A region of constants is
/// mapped a second time, with the copies in place of the pages that they replace, so that the
/// stream stays the same. The copies stay until their end, whatever other jobs do: no job writes
/// the on-chip memory of another context. Any thread, one at a time.
class OnChipConstants {
  public:
    /// The memory behind a region of constants, and where in its first page the region begins.
    struct Source {
        BusPages pages;
        std::uint64_t firstByte = 0;
    };
    /// By region of the compiled model; nothing for regions that hold no constants.
    using Sources = std::vector<std::optional<Source>>;

    /// Copies what is worth most (constant_reads.h), as far as the on-chip memory's share for
    /// constants and the user's memory allow, and only what spares a whole transfer the way to
    /// DRAM. RESOURCE_EXHAUSTED_* if the second mapping fails. Context, on-chip memory and the
    /// sources' pages outlive the result.
    static Result<OnChipConstants> place(Context& context, OnChipMemory& onChip,
                                         const CompiledModel& compiled, const Sources& sources);

    /// Virtual address of a region's first byte; nothing if no page of the region is on chip.
    std::optional<std::uint64_t> addressOf(std::size_t region) const;

  private:
    /// Copies whole pages; false without room for them.
    bool copy(Context& context, OnChipMemory& onChip, const BusPages& source, std::uint64_t begin,
              std::uint64_t sizeBytes);

    struct Copy {
        UserClaim claim;
        OnChipAllocation memory;
    };

    struct MixedRegion {
        AddressMapping pages;
        std::uint64_t firstByte = 0;
    };

    std::vector<Copy> copies_;
    std::vector<std::optional<MixedRegion>> regions_;  // ends before copies_
};

}  // namespace vnpu::driver

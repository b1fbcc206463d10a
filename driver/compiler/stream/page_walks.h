// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "driver/compiler/stream/command_list.h"

namespace vnpu::driver {

/// Estimates the page walks of a job that has run before. If the TLB holds all its pages, there are
/// none; otherwise the first touch of each page is a walk, for which the channel waits, and later
/// touches hit.
///
/// A region consists of large pages, and of small ones behind its last whole large page
/// (memory/page_tables.cpp). It is taken to end where the commands' accesses do.
class PageWalks {
  public:
    // chosen: as `edge`; those of the other shipped configurations are larger
    static constexpr std::uint64_t kTlbEntries = 64;

    explicit PageWalks(std::span<const ListedCommand> commands);

    /// The number of walks for a command, if it comes next. Only transfers and fills take any.
    std::uint64_t walksOf(const ListedCommand& command);

  private:
    struct Region {
        std::uint64_t sizeBytes = 0;
        std::vector<bool> isTouched;  // by page

        std::uint64_t pageAt(std::uint64_t offset) const;
        std::uint64_t touch(std::uint64_t begin, std::uint64_t end);
    };

    /// Of rows laid out as in hw::DmaTransfer.
    std::uint64_t touchRows(const hw::MemoryRef& ref, std::uint64_t rowBytes,
                            const std::uint32_t* counts, const std::uint32_t* strides);

    std::map<std::uint32_t, Region> regions_;  // by hw::MemoryRef::space
    std::uint64_t pages_ = 0;                  // of all regions
};

}  // namespace vnpu::driver

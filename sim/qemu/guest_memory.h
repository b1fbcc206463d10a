// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/qemu/proxy_message.h"

namespace vnpu::sim {

/// The guest's memory as QEMU shares it: files, mapped where that is safe. The owner of a file may
/// make it shorter at any time, and an access to a mapping of what is gone ends the process. So
/// only files that are sealed against shrinking are mapped, as those of QEMU's memory-backend-memfd
/// are by default; others are read and written by system calls. One thread.
class GuestMemory {
  public:
    GuestMemory() = default;
    ~GuestMemory();
    GuestMemory(const GuestMemory&) = delete;
    GuestMemory& operator=(const GuestMemory&) = delete;

    /// Replaces all regions. Earlier pointers of map() are no longer valid. Regions that cannot be
    /// are left out; the text names them, and is empty otherwise.
    std::string setRegions(std::vector<GuestRegion> regions);

    /// Whether all bytes could be accessed. Bytes before one that could not may have been.
    bool read(std::uint64_t address, std::span<std::byte> data) const;
    bool write(std::uint64_t address, std::span<const std::byte> data) const;

    /// The bytes from `address` to the end of their region; empty if there is no such region, or if
    /// it is not mapped.
    std::span<std::byte> map(std::uint64_t address) const;

    struct Range {
        std::uint64_t address = 0;
        std::uint64_t sizeBytes = 0;
    };
    std::vector<Range> ranges() const;

  private:
    struct Region : GuestRegion {
        std::byte* mapping = nullptr;
    };

    static std::string whyUnusable(const GuestRegion& region);
    const Region* find(std::uint64_t address) const;
    /// Calls `access(region, offset in region, offset in the data, bytes)` for each part of a
    /// range.
    template <typename Access>
    bool forParts(std::uint64_t address, std::uint64_t sizeBytes, const Access& access) const;
    void clear();

    std::vector<Region> regions_;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/result.h"

namespace vnpu::sim {

/// The bus address space of the platform: the device's DRAM and windows onto client memory.
/// Allocates both and finds the bytes of an address. Any thread.
class BusMemory {
  public:
    static constexpr std::uint64_t kDramBase =
            0x8000'0000ULL;  // chosen: above the register window, as on many SoCs
    static constexpr std::uint64_t kClientBase =
            0x10'0000'0000ULL;  // chosen: far above any DRAM size
    static constexpr std::uint64_t kClientLimit =
            0x1000'0000'0000ULL;  // chosen: 44 bits, inside the MMU's 48-bit bus addresses

    /// Reserves `dramBytes` (a multiple of 4 KiB) of zeroed host memory for the DRAM; throws
    /// std::bad_alloc.
    explicit BusMemory(std::uint64_t dramBytes);
    ~BusMemory();
    BusMemory(const BusMemory&) = delete;
    BusMemory& operator=(const BusMemory&) = delete;

    struct Range {
        std::byte* host = nullptr;
        std::uint64_t busAddress = 0;
        std::uint64_t sizeBytes = 0;
    };

    /// Allocates zeroed pages of DRAM; errors as DevicePort::allocateDma. Less than a large page
    /// comes from the end of the DRAM, and more from its beginning, because the small parts of
    /// contexts (page tables, rings) stay while models and buffers come and go.
    driver::Result<Range> allocate(std::uint64_t sizeBytes);
    void free(std::uint64_t busAddress);

    /// Maps client pages at a bus address that is aligned to 64 KiB.
    driver::Result<std::uint64_t> map(void* pages, std::uint64_t sizeBytes);
    void unmap(std::uint64_t busAddress);

    /// The range of `busAddress`, or one with host == nullptr.
    Range find(std::uint64_t busAddress) const;

  private:
    // All with mutex_ held.
    std::optional<std::uint64_t> lowestPlaceFor(std::uint64_t bytes) const;
    std::optional<std::uint64_t> highestPlaceFor(std::uint64_t bytes) const;
    std::uint64_t largestFreeBytes() const;

    mutable std::mutex mutex_;  // guards what follows dramBytes_; a leaf
    std::byte* dram_ = nullptr;
    std::uint64_t dramBytes_;
    std::uint64_t allocatedBytes_ = 0;
    std::map<std::uint64_t, std::uint64_t> allocations_;  // bus address to bytes
    std::map<std::uint64_t, Range> mappings_;             // by bus address
    std::uint64_t nextMapping_ = kClientBase;
};

}  // namespace vnpu::sim

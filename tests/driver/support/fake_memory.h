// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "driver/port/device_port.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver::test {

/// The device's view of memory by bus address, and an MMU that walks the driver's page tables and
/// remembers what it found, as a TLB does. Not thread-safe: the port's lock guards it.
class FakeMemory {
  public:
    explicit FakeMemory(std::uint64_t capacityBytes) : capacityBytes_(capacityBytes) {}

    static constexpr std::uint64_t kResidentBase = 0x7FF0'0000;  // chosen: no device's

    /// Adds bytes of 0xAA at kResidentBase, outside the allocator.
    void addResident(std::uint64_t sizeBytes);
    Result<DmaBuffer> allocate(std::uint64_t sizeBytes);
    void free(const DmaBuffer& buffer);
    std::uint64_t map(std::byte* pages, std::uint64_t sizeBytes);
    void unmap(std::uint64_t busAddress, std::uint64_t sizeBytes);

    /// Host address of `sizeBytes` at a bus address, or null if they are not all within one block.
    std::byte* atBus(std::uint64_t busAddress, std::uint64_t sizeBytes) const;

    void setRoot(std::uint32_t context, std::uint64_t root);
    void clearRoot(std::uint32_t context);
    void invalidate(std::uint32_t context);

    /// Host address of one byte by virtual address; null where it faults.
    std::byte* translate(std::uint32_t context, std::uint64_t address, bool isWrite);

    std::uint64_t allocatedBytes() const { return allocatedBytes_; }
    std::size_t mappedBlocks() const { return mappedBlocks_; }
    /// How often memory was given back while a TLB entry still led to it.
    int staleTlbEntries() const { return staleTlbEntries_; }
    /// Translations to these bytes that a TLB still holds.
    int tlbEntriesInto(std::uint64_t busAddress, std::uint64_t sizeBytes) const;
    /// Pages found through an entry marked large, and entries marked large that must not be.
    int largePageHits() const { return largePageHits_; }
    int badLargePages() const { return badLargePages_; }

  private:
    struct PageDeleter {
        void operator()(std::byte* pages) const {
            ::operator delete[](pages, std::align_val_t{hw::kPageBytes});
        }
    };
    using OwnedPages = std::unique_ptr<std::byte[], PageDeleter>;
    static OwnedPages zeroedPages(std::uint64_t sizeBytes);
    struct Block {
        std::byte* host = nullptr;
        std::uint64_t sizeBytes = 0;
        OwnedPages owned;  // null for client memory
    };
    struct TlbEntry {
        std::uint64_t busPage;
        bool isWritable;
    };

    std::optional<std::uint64_t> walk(std::uint32_t context, std::uint64_t address);
    void checkLarge(std::uint64_t table, std::uint32_t index);
    void dropBlock(std::uint64_t busAddress, std::uint64_t sizeBytes);
    std::uint64_t nextBusAddress(std::uint64_t sizeBytes);

    const std::uint64_t capacityBytes_;
    std::uint64_t allocatedBytes_ = 0;
    std::size_t mappedBlocks_ = 0;
    std::uint64_t nextBus_ = 0x1000'0000;
    std::map<std::uint64_t, Block> blocks_;
    std::map<std::uint32_t, std::uint64_t> roots_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, TlbEntry> tlb_;
    int staleTlbEntries_ = 0;
    int largePageHits_ = 0;
    int badLargePages_ = 0;
};

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "driver/control/dma_memory.h"
#include "driver/port/device_port.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The page tables of one context (hw_model/regs/page_table.h), in device memory. Tables exist as
/// long as a range needs them. Not thread-safe; the device may walk them at any time. The caller
/// invalidates TLBs.
class PageTables {
  public:
    static Result<std::unique_ptr<PageTables>> create(DevicePort& port, LiveCounters& counters);

    std::uint64_t rootBusAddress() const;

    /// Maps whole pages that are not mapped. Uses a large page wherever 64 KiB of both addresses
    /// are aligned. On failure nothing is mapped, but tables may be left: the caller must unmap()
    /// the range.
    Result<void> map(std::uint64_t virtualAddress, std::uint64_t busAddress,
                     std::uint64_t sizeBytes, bool isWritable);

    /// Clears the entries of whole pages. Returns the tables that are now empty; the caller keeps
    /// them until no TLB and no walk leads to them.
    [[nodiscard]] std::vector<DmaAllocation> unmap(std::uint64_t virtualAddress,
                                                   std::uint64_t sizeBytes);

  private:
    struct AddressRange {
        std::uint64_t begin = 0, end = 0;
    };
    struct Table {
        explicit Table(DmaAllocation allocation) : memory(std::move(allocation)) {}
        DmaAllocation memory;
        std::map<std::uint32_t, std::unique_ptr<Table>> children;
    };

    PageTables(DevicePort& port, LiveCounters& counters, DmaAllocation root);
    /// The last-level table of an address; creates the tables that lead to it.
    Result<Table*> lastLevel(std::uint64_t virtualAddress);
    static void store(const Table& table, std::uint32_t index, std::uint64_t entry);
    static bool isEmpty(const Table& table);
    static void clear(Table& table, std::uint32_t level, AddressRange range,
                      std::vector<DmaAllocation>& emptied);

    DevicePort& port_;
    LiveCounters& counters_;
    Table root_;
};

}  // namespace vnpu::driver

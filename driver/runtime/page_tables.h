// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "driver/port/device_port.h"
#include "driver/result.h"
#include "driver/runtime/dma_memory.h"

namespace vnpu::driver {

/// The page tables of one context (hw_model/regs/page_table.h), in device memory. Tables are added
/// as ranges need them and go with the whole. Not thread-safe; the device may walk them at any
/// time. TLBs are somebody else's.
class PageTables {
  public:
    static Result<std::unique_ptr<PageTables>> create(DevicePort& port, LiveCounters& counters);

    std::uint64_t rootBusAddress() const;

    /// Maps whole pages that are not mapped. Where 64 KiB of both addresses line up, one large page
    /// is made of them. On failure nothing is mapped.
    Result<void> map(std::uint64_t virtualAddress, std::uint64_t busAddress,
                     std::uint64_t sizeBytes, bool isWritable);

    /// Clears the entries of whole pages.
    void unmap(std::uint64_t virtualAddress, std::uint64_t sizeBytes);

  private:
    struct Table {
        explicit Table(DmaAllocation allocation) : memory(std::move(allocation)) {}
        DmaAllocation memory;
        std::map<std::uint32_t, std::unique_ptr<Table>> children;
    };

    PageTables(DevicePort& port, LiveCounters& counters, DmaAllocation root);
    Result<Table*> lastLevel(std::uint64_t virtualAddress);
    Table* findLastLevel(std::uint64_t virtualAddress);
    static void store(const Table& table, std::uint32_t index, std::uint64_t entry);

    DevicePort& port_;
    LiveCounters& counters_;
    Table root_;
};

}  // namespace vnpu::driver

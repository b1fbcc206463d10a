// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "driver/control/environment.h"
#include "driver/memory/memory_budget.h"
#include "driver/memory/page_tables.h"
#include "driver/memory/virtual_allocator.h"
#include "driver/port/mutex.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The memory that one MMU context reaches: its page tables and its virtual addresses. Any thread
/// but the interrupt thread.
class AddressSpace {
  public:
    /// `context` is the context's index.
    static Result<std::unique_ptr<AddressSpace>> create(const Environment& environment,
                                                        std::uint32_t context);

    const MemoryBudget& budget() const { return budget_; }
    std::uint64_t rootBusAddress() const { return tables_->rootBusAddress(); }

    /// Maps parts of whole pages one behind the other and returns the virtual address of the first.
    /// RESOURCE_EXHAUSTED_* without addresses or memory for page tables.
    Result<std::uint64_t> map(std::span<const BusRange> parts, bool isWritable);

    /// Unmaps an address that map() returned. On return the device no longer reaches the pages.
    void unmap(std::uint64_t virtualAddress);

    /// Notes that the device no longer uses the context: from now on unmap() invalidates no TLB.
    void retire() { isRetired_ = true; }

  private:
    AddressSpace(const Environment& environment, std::uint32_t context,
                 std::unique_ptr<PageTables> tables)
        : port_(environment.port),
          mailbox_(environment.mailbox),
          budget_(MemoryBudget::of(environment.info)),
          context_(context),
          tables_(std::move(tables)) {}

    DevicePort& port_;
    MailboxClient& mailbox_;
    const MemoryBudget budget_;
    const std::uint32_t context_;
    std::atomic<bool> isRetired_{false};
    Mutex mutex_ VNPU_LOCK_RANK(60);
    const std::unique_ptr<PageTables> tables_;  // its contents are guarded by mutex_
    VirtualAllocator allocator_ VNPU_GUARDED_BY(mutex_);
};

/// Pages of a context, unmapped by the destructor. The address space outlives it.
class AddressMapping {
  public:
    static Result<AddressMapping> create(AddressSpace& space, std::uint64_t busAddress,
                                         std::uint64_t sizeBytes, bool isWritable);
    /// Maps parts of whole pages one behind the other.
    static Result<AddressMapping> create(AddressSpace& space, std::span<const BusRange> parts,
                                         bool isWritable);

    std::uint64_t address() const { return space_.get_deleter().address; }

  private:
    struct Unmap {
        std::uint64_t address;

        void operator()(AddressSpace* space) const { space->unmap(address); }
    };

    AddressMapping(AddressSpace& space, std::uint64_t address) : space_(&space, Unmap{address}) {}

    std::unique_ptr<AddressSpace, Unmap> space_;
};

}  // namespace vnpu::driver

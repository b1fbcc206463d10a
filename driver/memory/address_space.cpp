// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "driver/control/mailbox_client.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

Result<std::unique_ptr<AddressSpace>> AddressSpace::create(const Environment& environment,
                                                           std::uint32_t context) {
    VNPU_TRY_ASSIGN(auto tables, PageTables::create(environment.port, environment.counters));
    return std::unique_ptr<AddressSpace>(new AddressSpace(environment, context, std::move(tables)));
}

Result<std::uint64_t> AddressSpace::map(std::span<const BusRange> parts, bool isWritable) {
    std::uint64_t sizeBytes = 0;
    std::vector<BusRange> ranges;
    for (const BusRange& part : parts) {
        sizeBytes += part.sizeBytes;
        std::ranges::copy(port_.busRanges(part.address, part.sizeBytes),
                          std::back_inserter(ranges));
    }
    VNPU_TRY(budget_.check(0, sizeBytes));
    // Equal remainders modulo 64 KiB let the page tables use large pages inside the range.
    const bool wantsLarge = sizeBytes >= hw::kLargePageBytes;
    const std::uint64_t align = wantsLarge ? hw::kLargePageBytes : hw::kPageBytes;
    std::optional<std::uint64_t> address;
    Result<void> mapped;
    {
        const MutexLock guard(mutex_);
        address = allocator_.allocate(sizeBytes, align, parts.front().address & (align - 1));
        if (!address) {
            return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                        fmt::format("context {} has no {} bytes of virtual addresses left",
                                    context_, sizeBytes));
        }
        std::uint64_t at = *address;
        for (const BusRange& range : ranges) {
            mapped = tables_->map(at, range.address, range.sizeBytes, isWritable);
            if (!mapped) {
                break;
            }
            at += range.sizeBytes;
        }
    }
    if (!mapped) {
        unmap(*address);
        return tl::unexpected(std::move(mapped.error()));
    }
    return *address;
}

void AddressSpace::unmap(std::uint64_t virtualAddress) {
    std::vector<DmaAllocation> emptied;  // the device may walk these until the TLB is invalidated
    {
        const MutexLock guard(mutex_);
        emptied = tables_->unmap(virtualAddress, allocator_.sizeOf(virtualAddress));
    }
    if (!isRetired_) {
        fw::Message message{};
        message.type = fw::MessageType::kInvalidateTlb;
        message.target.context = context_;
        // A refusal or a missing answer means that the firmware is broken, which its other users
        // report.
        static_cast<void>(mailbox_.request(message));
    }
    const MutexLock guard(mutex_);
    allocator_.free(virtualAddress);  // only now, when no TLB holds the old pages of this address
}

Result<AddressMapping> AddressMapping::create(AddressSpace& space, std::uint64_t busAddress,
                                              std::uint64_t sizeBytes, bool isWritable) {
    const BusRange whole{busAddress, sizeBytes};
    return create(space, {&whole, 1}, isWritable);
}

Result<AddressMapping> AddressMapping::create(AddressSpace& space, std::span<const BusRange> parts,
                                              bool isWritable) {
    VNPU_TRY_ASSIGN(auto address, space.map(parts, isWritable));
    return AddressMapping(space, address);
}

}  // namespace vnpu::driver

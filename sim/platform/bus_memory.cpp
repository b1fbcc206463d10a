// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/bus_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "hw_model/regs/check.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::sim {

using driver::ErrorStatus;
using hw::roundUp;

BusMemory::BusMemory(std::uint64_t dramBytes) : dramBytes_(dramBytes) {
    void* memory = ::mmap(nullptr, dramBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    dram_ = static_cast<std::byte*>(memory);
}

BusMemory::~BusMemory() {
    ::munmap(dram_, dramBytes_);
}

driver::Result<BusMemory::Range> BusMemory::allocate(std::uint64_t sizeBytes) {
    if (sizeBytes == 0 || sizeBytes > dramBytes_) {
        return driver::fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                            fmt::format("{} bytes of device memory asked for, expected 1 to {}",
                                        sizeBytes, dramBytes_));
    }
    const std::uint64_t bytes = roundUp(sizeBytes, hw::kPageBytes);
    const std::lock_guard guard(mutex_);
    const std::optional<std::uint64_t> place =
            bytes >= hw::kLargePageBytes ? lowestPlaceFor(bytes) : highestPlaceFor(bytes);
    if (!place) {
        return driver::fail(
                ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                fmt::format("no room for {} bytes: {} of {} bytes of device memory are in use, the "
                            "largest free block has {} bytes",
                            bytes, allocatedBytes_, dramBytes_, largestFreeBytes()));
    }
    allocations_.emplace(*place, bytes);
    allocatedBytes_ += bytes;
    return Range{dram_ + (*place - kDramBase), *place, bytes};
}

/// Aligned to a large page, so that the MMU can map it with large pages.
std::optional<std::uint64_t> BusMemory::lowestPlaceFor(std::uint64_t bytes) const {
    std::uint64_t place = kDramBase;
    for (const auto& [address, size] : allocations_) {
        if (place + bytes <= address) {
            return place;
        }
        place = roundUp(address + size, hw::kLargePageBytes);
    }
    return place + bytes <= kDramBase + dramBytes_ ? std::optional(place) : std::nullopt;
}

std::optional<std::uint64_t> BusMemory::highestPlaceFor(std::uint64_t bytes) const {
    std::uint64_t end = kDramBase + dramBytes_;
    for (auto it = allocations_.rbegin(); it != allocations_.rend(); ++it) {
        if (it->first + it->second + bytes <= end) {
            return end - bytes;
        }
        end = it->first;
    }
    return kDramBase + bytes <= end ? std::optional(end - bytes) : std::nullopt;
}

std::uint64_t BusMemory::largestFreeBytes() const {
    std::uint64_t largest = 0;
    std::uint64_t begin = kDramBase;
    for (const auto& [address, size] : allocations_) {
        largest = std::max(largest, address - begin);
        begin = address + size;
    }
    return std::max(largest, kDramBase + dramBytes_ - begin);
}

void BusMemory::free(std::uint64_t busAddress) {
    const std::lock_guard guard(mutex_);
    const auto found = allocations_.find(busAddress);
    VNPU_CHECK(found != allocations_.end(), "only what was allocated is freed");
    // Returns the pages to the host; the next owner finds zeros.
    std::byte* host = dram_ + (busAddress - kDramBase);
    if (::madvise(host, found->second, MADV_DONTNEED) != 0) {
        std::memset(host, 0, found->second);
    }
    allocatedBytes_ -= found->second;
    allocations_.erase(found);
}

driver::Result<std::uint64_t> BusMemory::map(void* pages, std::uint64_t sizeBytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(pages);
    if (sizeBytes == 0 || address % hw::kPageBytes != 0 || sizeBytes % hw::kPageBytes != 0) {
        return driver::invalidArgument(
                fmt::format("cannot map {} bytes at page offset {}, expected whole pages",
                            sizeBytes, address % hw::kPageBytes));
    }
    if (sizeBytes > kClientLimit - kClientBase) {
        return driver::fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                            fmt::format("cannot map {} bytes, expected at most {}", sizeBytes,
                                        kClientLimit - kClientBase));
    }
    // Addresses increase, so that stale ones are detected. They start over at the end, when no old
    // address is in use any more.
    const std::uint64_t step = roundUp(sizeBytes, hw::kLargePageBytes) + hw::kLargePageBytes;
    const std::lock_guard guard(mutex_);
    for (int round = 0; round < 2; ++round) {
        std::uint64_t candidate = nextMapping_;
        for (auto it = mappings_.upper_bound(candidate);
             it != mappings_.end() && candidate + step > it->first; ++it) {
            candidate = roundUp(it->first + it->second.sizeBytes, hw::kLargePageBytes) +
                        hw::kLargePageBytes;
        }
        if (candidate + step <= kClientLimit) {
            mappings_.emplace(candidate,
                              Range{static_cast<std::byte*>(pages), candidate, sizeBytes});
            nextMapping_ = candidate + step;
            return candidate;
        }
        nextMapping_ = kClientBase;
    }
    return driver::fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                        "no bus addresses are left for client memory");
}

void BusMemory::unmap(std::uint64_t busAddress) {
    const std::lock_guard guard(mutex_);
    VNPU_CHECK(mappings_.erase(busAddress) == 1, "only what was mapped is unmapped");
}

BusMemory::Range BusMemory::find(std::uint64_t busAddress) const {
    if (busAddress >= kDramBase && busAddress < kDramBase + dramBytes_) {
        return {dram_, kDramBase, dramBytes_};
    }
    const std::lock_guard guard(mutex_);
    auto it = mappings_.upper_bound(busAddress);
    if (it == mappings_.begin()) {
        return {};
    }
    --it;
    return busAddress - it->first < it->second.sizeBytes ? it->second : Range{};
}

}  // namespace vnpu::sim

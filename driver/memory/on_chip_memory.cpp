// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/on_chip_memory.h"

#include <algorithm>
#include <utility>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

namespace {

std::span<std::byte> windowOf(DevicePort& port, const DeviceInfo& info) {
    if (info.residentBytes == 0) {
        return {};
    }
    std::byte* const bytes = port.mapWindow(info.residentBase, info.residentBytes);
    return bytes == nullptr ? std::span<std::byte>{} : std::span(bytes, info.residentBytes);
}

}  // namespace

OnChipMemory::OnChipMemory(DevicePort& port, const DeviceInfo& info, LiveCounters& counters)
    : busAddress_(info.residentBase),
      window_(windowOf(port, info)),
      counters_(counters),
      isTaken_(window_.size() / hw::kPageBytes, false) {}

std::optional<OnChipAllocation> OnChipMemory::allocate(std::uint64_t sizeBytes) {
    if (sizeBytes == 0 || sizeBytes > window_.size()) {
        return std::nullopt;
    }
    const auto pages = static_cast<std::size_t>((sizeBytes + hw::kPageBytes - 1) / hw::kPageBytes);
    std::size_t firstPage = 0;
    {
        const MutexLock guard(mutex_);
        const auto first = std::search_n(isTaken_.begin(), isTaken_.end(), pages, false);
        if (first == isTaken_.end()) {
            return std::nullopt;
        }
        std::fill_n(first, pages, true);
        firstPage = static_cast<std::size_t>(first - isTaken_.begin());
    }
    OnChipAllocation allocation(*this, firstPage, pages);
    counters_.onChipBytes += allocation.sizeBytes();
    // The next owner must not see the last owner's bytes.
    const std::span<std::byte> bytes = allocation.bytes();
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    return allocation;
}

void OnChipMemory::giveBack(std::size_t firstPage, std::size_t pages) {
    counters_.onChipBytes -= pages * hw::kPageBytes;
    const MutexLock guard(mutex_);
    std::fill_n(isTaken_.begin() + static_cast<std::ptrdiff_t>(firstPage), pages, false);
}

OnChipAllocation::OnChipAllocation(OnChipAllocation&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      firstPage_(other.firstPage_),
      pages_(other.pages_) {}

OnChipAllocation::~OnChipAllocation() {
    if (memory_ != nullptr) {
        memory_->giveBack(firstPage_, pages_);
    }
}

std::span<std::byte> OnChipAllocation::bytes() const {
    return memory_->window_.subspan(firstPage_ * hw::kPageBytes, pages_ * hw::kPageBytes);
}

std::uint64_t OnChipAllocation::busAddress() const {
    return memory_->busAddress_ + firstPage_ * hw::kPageBytes;
}

}  // namespace vnpu::driver

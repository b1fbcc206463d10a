// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/on_chip_memory.h"

#include <algorithm>

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
    const std::uint64_t takenBytes = pages * hw::kPageBytes;
    std::byte* const bytes = window_.data() + firstPage * hw::kPageBytes;
    counters_.onChipBytes += takenBytes;
    // The next owner must not see the last owner's bytes.
    std::fill_n(bytes, takenBytes, std::byte{0});
    return OnChipAllocation(bytes, {this, takenBytes});
}

void OnChipMemory::giveBack(const std::byte* bytes, std::uint64_t sizeBytes) {
    counters_.onChipBytes -= sizeBytes;
    const auto firstPage = (bytes - window_.data()) / static_cast<std::ptrdiff_t>(hw::kPageBytes);
    const MutexLock guard(mutex_);
    std::fill_n(isTaken_.begin() + firstPage, sizeBytes / hw::kPageBytes, false);
}

std::uint64_t OnChipAllocation::busAddress() const {
    const OnChipMemory& memory = *bytes_.get_deleter().memory;
    return memory.busAddress_ + static_cast<std::uint64_t>(bytes_.get() - memory.window_.data());
}

}  // namespace vnpu::driver

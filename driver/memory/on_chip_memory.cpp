// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/on_chip_memory.h"

#include <algorithm>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

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

OnChipMemory::OnChipMemory(DevicePort& port, const DeviceInfo& info, LiveCounters& counters,
                           double constantsShare)
    : busAddress_(info.residentBase),
      window_(windowOf(port, info)),
      constantsLimit_(
              static_cast<std::uint64_t>(constantsShare * static_cast<double>(window_.size()))),
      counters_(counters),
      isTaken_(window_.size() / hw::kPageBytes, false) {}

std::optional<OnChipAllocation> OnChipMemory::allocate(std::uint64_t sizeBytes) {
    return allocate(sizeBytes, Content::kBuffer);
}

std::optional<OnChipAllocation> OnChipMemory::allocateForConstants(std::uint64_t sizeBytes) {
    return allocate(sizeBytes, Content::kConstants);
}

std::optional<std::size_t> OnChipMemory::takePages(std::size_t pages, Content content) {
    const std::size_t step =
            content == Content::kConstants && pages * hw::kPageBytes == hw::kLargePageBytes ? pages
                                                                                            : 1;
    const MutexLock guard(mutex_);
    if (content == Content::kConstants &&
        counters_.onChipConstantBytes + pages * hw::kPageBytes > constantsLimit_) {
        return std::nullopt;
    }
    for (std::size_t first = 0; first + pages <= isTaken_.size(); first += step) {
        const auto begin = isTaken_.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(pages);
        if (std::find(begin, end, true) == end) {
            std::fill(begin, end, true);
            counters_.onChipBytes += pages * hw::kPageBytes;
            if (content == Content::kConstants) {
                counters_.onChipConstantBytes += pages * hw::kPageBytes;
            }
            return first;
        }
    }
    return std::nullopt;
}

std::optional<OnChipAllocation> OnChipMemory::allocate(std::uint64_t sizeBytes, Content content) {
    if (sizeBytes == 0 || sizeBytes > window_.size()) {
        return std::nullopt;
    }
    const std::uint64_t takenBytes = hw::roundUp(sizeBytes, hw::kPageBytes);
    const auto firstPage =
            takePages(static_cast<std::size_t>(takenBytes / hw::kPageBytes), content);
    if (!firstPage) {
        return std::nullopt;
    }
    std::byte* const bytes = window_.data() + *firstPage * hw::kPageBytes;
    // The next owner must not see the last owner's bytes.
    std::fill_n(bytes, takenBytes, std::byte{0});
    return OnChipAllocation(bytes, {this, takenBytes, content});
}

void OnChipMemory::giveBack(const std::byte* bytes, std::uint64_t sizeBytes, Content content) {
    const auto firstPage = (bytes - window_.data()) / static_cast<std::ptrdiff_t>(hw::kPageBytes);
    const MutexLock guard(mutex_);
    std::fill_n(isTaken_.begin() + firstPage, sizeBytes / hw::kPageBytes, false);
    counters_.onChipBytes -= sizeBytes;
    if (content == Content::kConstants) {
        counters_.onChipConstantBytes -= sizeBytes;
    }
}

std::uint64_t OnChipAllocation::busAddress() const {
    const OnChipMemory& memory = *bytes_.get_deleter().memory;
    return memory.busAddress_ + static_cast<std::uint64_t>(bytes_.get() - memory.window_.data());
}

}  // namespace vnpu::driver

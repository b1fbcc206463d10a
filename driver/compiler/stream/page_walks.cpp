// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/page_walks.h"

#include <algorithm>
#include <variant>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

PageWalks::PageWalks(std::span<const ListedCommand> commands) {
    for (const ListedCommand& command : commands) {
        for (const Access& access : accessesOf(command.payload)) {
            if (access.space != hw::kSpaceSram) {
                std::uint64_t& size = regions_[access.space].sizeBytes;
                size = std::max(size, access.end);
            }
        }
    }
    for (auto& [space, region] : regions_) {
        region.isTouched.resize(region.pageAt(region.sizeBytes - 1) + 1);
        pages_ += region.isTouched.size();
    }
}

std::uint64_t PageWalks::Region::pageAt(std::uint64_t offset) const {
    const std::uint64_t largePages = sizeBytes / hw::kLargePageBytes;
    const std::uint64_t largeEnd = largePages * hw::kLargePageBytes;
    return offset < largeEnd ? offset / hw::kLargePageBytes
                             : largePages + (offset - largeEnd) / hw::kPageBytes;
}

std::uint64_t PageWalks::Region::touch(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t found = 0;
    const std::uint64_t last = pageAt(end - 1);
    for (std::uint64_t page = pageAt(begin); page <= last; ++page) {
        found += isTouched[page] ? 0 : 1;
        isTouched[page] = true;
    }
    return found;
}

std::uint64_t PageWalks::walksOf(const ListedCommand& command) {
    if (pages_ <= kTlbEntries) {
        return 0;
    }
    if (const auto* transfer = std::get_if<hw::DmaTransfer>(&command.payload)) {
        const std::uint32_t sourceBytes =
                hw::isCoded(*transfer) ? transfer->codedBytes : transfer->rowBytes;
        return touchRows(transfer->source, sourceBytes, transfer->counts, transfer->sourceStrides) +
               touchRows(transfer->destination, transfer->rowBytes, transfer->counts,
                         transfer->destinationStrides);
    }
    if (const auto* fill = std::get_if<hw::DmaFill>(&command.payload)) {
        return touchRows(fill->destination, fill->rowBytes, fill->counts, fill->destinationStrides);
    }
    return 0;
}

std::uint64_t PageWalks::touchRows(const hw::MemoryRef& ref, std::uint64_t rowBytes,
                                   const std::uint32_t* counts, const std::uint32_t* strides) {
    if (ref.space == hw::kSpaceSram) {
        return 0;
    }
    Region& region = regions_.at(ref.space);
    // Rows at most a page apart are taken to touch all pages from the first to the last one.
    std::uint64_t runBytes = rowBytes;
    std::uint64_t runs[3] = {counts[0], counts[1], counts[2]};
    for (std::size_t axis = 3; axis-- > 0 && strides[axis] <= runBytes + hw::kPageBytes;) {
        runBytes += (runs[axis] - 1) * strides[axis];
        runs[axis] = 1;
    }
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < runs[0]; ++i) {
        for (std::uint64_t j = 0; j < runs[1]; ++j) {
            for (std::uint64_t k = 0; k < runs[2]; ++k) {
                const std::uint64_t begin =
                        ref.offset + i * strides[0] + j * strides[1] + k * strides[2];
                found += region.touch(begin, begin + runBytes);
            }
        }
    }
    return found;
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/dma_rows.h"

#include <algorithm>
#include <limits>

namespace vnpu::hw {

namespace {

std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b) {
    return b > std::numeric_limits<std::uint64_t>::max() - a
                   ? std::numeric_limits<std::uint64_t>::max()
                   : a + b;
}

void append(std::vector<DmaPiece>& pieces, std::uint64_t address, std::uint64_t bytes) {
    if (!pieces.empty() && pieces.back().address + pieces.back().bytes == address) {
        pieces.back().bytes += bytes;
    } else {
        pieces.push_back({address, bytes});
    }
}

}  // namespace

DmaRows::DmaRows(std::uint64_t base, std::uint64_t rowBytes, const std::uint32_t (&counts)[3],
                 const std::uint32_t (&strides)[3])
    : base_(base), end_(saturatingAdd(base, rowBytes)), rowBytes_(rowBytes) {
    std::size_t depth = 0;
    counts_.fill(1);
    for (std::size_t d = 3; d-- > 0;) {
        const std::uint64_t count = counts[d];
        end_ = saturatingAdd(end_, (count - 1) * strides[d]);
        if (count == 1) {
            continue;
        }
        if (depth == 0 && strides[d] == rowBytes_) {
            rowBytes_ *= count;
            continue;
        }
        counts_[depth] = count;
        strides_[depth] = strides[d];
        ++depth;
    }
}

DmaTranslationResult translateRows(const DmaTranslation& how, const DmaRows& rows,
                                   std::vector<DmaPiece>* pieces) {
    DmaTranslationResult result{.isResident = how.resident != nullptr};
    std::uint64_t pageFirst = 1;  // the page translated last; empty at first
    std::uint64_t pageEnd = 0;
    std::uint64_t busAtFirst = 0;
    rows.forEach([&](std::uint64_t begin, std::uint64_t bytes) {
        while (bytes > 0) {
            if (begin < pageFirst || begin >= pageEnd) {
                const Mmu::Result page =
                        how.mmu.translate(how.contextId, begin, how.isWrite, how.engine);
                result.walkCycles += page.walkCycles;
                if (page.status != JobStatus::kOk) {
                    result.status = page.status;
                    result.isPermission = page.isPermission;
                    result.faultAddress = begin;
                    return false;
                }
                pageFirst = begin - page.pageOffset;
                pageEnd = begin + page.pageBytesLeft;
                busAtFirst = page.busAddress - page.pageOffset;
            }
            const std::uint64_t part = std::min(bytes, pageEnd - begin);
            const std::uint64_t busAddress = busAtFirst + (begin - pageFirst);
            result.isResident = result.isResident && how.resident->holds(busAddress, part);
            if (pieces != nullptr) {
                append(*pieces, busAddress, part);
            }
            begin += part;
            bytes -= part;
        }
        return true;
    });
    return result;
}

void listRows(const DmaRows& rows, std::vector<DmaPiece>& pieces) {
    rows.forEach([&](std::uint64_t begin, std::uint64_t bytes) {
        append(pieces, begin, bytes);
        return true;
    });
}

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/dma_rows.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vnpu::hw {

namespace {

std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b) {
    return b > std::numeric_limits<std::uint64_t>::max() - a
                   ? std::numeric_limits<std::uint64_t>::max()
                   : a + b;
}

void join(std::vector<DmaPiece>& pieces, const DmaPiece& piece) {
    if (!pieces.empty() && piece.rows == 1) {
        DmaPiece& last = pieces.back();
        if (last.rows == 1 && last.address + last.bytes == piece.address) {
            last.bytes += piece.bytes;
            return;
        }
    }
    pieces.push_back(piece);
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

namespace {

// Follows rows from page to page.
class RowTranslator {
  public:
    RowTranslator(const DmaTranslation& how, std::vector<DmaPiece>* pieces)
        : how_(how), pieces_(pieces) {}

    /// False if a page is not mapped.
    bool add(DmaPiece left) {
        while (left.rows > 0) {
            if (!enterPageOf(left.address)) {
                return false;
            }
            const std::uint64_t whole = wholeRows(left);
            if (whole > 0) {
                append({left.address, left.bytes, whole, left.stride});
            } else if (!addAcrossPages(left.address, left.bytes)) {
                return false;
            }
            const std::uint64_t rows = std::max<std::uint64_t>(whole, 1);
            left.address += rows * left.stride;
            left.rows -= rows;
        }
        return true;
    }

    const DmaTranslationResult& result() const { return result_; }

  private:
    bool enterPageOf(std::uint64_t address) {
        if (address >= pageFirst_ && address < pageEnd_) {
            return true;
        }
        const Mmu::Result page =
                how_.mmu.translate(how_.contextId, address, how_.isWrite, how_.engine);
        result_.walkCycles += page.walkCycles;
        result_.tableReads.insert(result_.tableReads.end(), page.tableReads.begin(),
                                  page.tableReads.begin() + page.tableReadCount);
        if (page.status != JobStatus::kOk) {
            result_.status = page.status;
            result_.isPermission = page.isPermission;
            result_.faultAddress = address;
            return false;
        }
        pageFirst_ = address - page.pageOffset;
        pageEnd_ = address + page.pageBytesLeft;
        busAtFirst_ = page.busAddress - page.pageOffset;
        return true;
    }

    // The number of rows that end within the first row's page.
    std::uint64_t wholeRows(const DmaPiece& piece) const {
        const std::uint64_t left = pageEnd_ - piece.address;
        if (piece.bytes > left) {
            return 0;
        }
        return piece.stride == 0 ? piece.rows
                                 : std::min(piece.rows, (left - piece.bytes) / piece.stride + 1);
    }

    bool addAcrossPages(std::uint64_t begin, std::uint64_t bytes) {
        const std::uint64_t end = begin + bytes;
        while (begin < end) {
            if (!enterPageOf(begin)) {
                return false;
            }
            const std::uint64_t part = std::min(end, pageEnd_) - begin;
            append({begin, part});
            begin += part;
        }
        return true;
    }

    // Appends rows at virtual addresses in the current page.
    void append(DmaPiece piece) {
        piece.address = busAtFirst_ + (piece.address - pageFirst_);
        result_.busFirst = std::min(result_.busFirst, piece.address);
        result_.busEnd = std::max(result_.busEnd,
                                  piece.address + (piece.rows - 1) * piece.stride + piece.bytes);
        if (pieces_ != nullptr) {
            join(*pieces_, piece);
        }
    }

    const DmaTranslation& how_;
    std::vector<DmaPiece>* pieces_;
    DmaTranslationResult result_;
    std::uint64_t pageFirst_ = 1;  // the last translated page; initially empty
    std::uint64_t pageEnd_ = 0;
    std::uint64_t busAtFirst_ = 0;
};

}  // namespace

DmaTranslationResult translateRows(const DmaTranslation& how, const DmaRows& rows,
                                   std::vector<DmaPiece>* pieces) {
    RowTranslator translator(how, pieces);
    rows.forEachPiece([&](const DmaPiece& piece) { return translator.add(piece); });
    return translator.result();
}

void listRows(const DmaRows& rows, std::vector<DmaPiece>& pieces) {
    rows.forEachPiece([&](const DmaPiece& piece) {
        join(pieces, piece);
        return true;
    });
}

}  // namespace vnpu::hw

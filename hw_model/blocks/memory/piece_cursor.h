// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw_model/blocks/memory/dma_piece.h"

namespace vnpu::hw {

/// A position in the bytes of a list of rows.
class PieceCursor {
  public:
    /// Advances to byte `target` or, where that is within a row, to the next multiple of
    /// `burstBytes` in it, so that no burst is visited twice. Calls visit(address, bytes) for each
    /// part of a row. Does nothing if it is there already.
    template <typename Visit>
    void advance(std::span<const DmaPiece> pieces, std::uint64_t target, std::uint64_t burstBytes,
                 const Visit& visit) {
        while (position_ < target && index_ < pieces.size()) {
            const DmaPiece& piece = pieces[index_];
            const std::uint64_t address = piece.address + row_ * piece.stride + used_;
            const std::uint64_t rest = piece.bytes - used_;
            std::uint64_t bytes = rest;
            if (target - position_ < rest) {
                const std::uint64_t end = address + (target - position_);
                const std::uint64_t toBurst = (burstBytes - end % burstBytes) % burstBytes;
                bytes = end + toBurst - address < rest ? end + toBurst - address : rest;
            }
            visit(address, bytes);
            step(piece, bytes);
        }
    }

  private:
    void step(const DmaPiece& piece, std::uint64_t bytes) {
        position_ += bytes;
        used_ += bytes;
        if (used_ == piece.bytes) {
            used_ = 0;
            ++row_;
        }
        if (row_ == piece.rows) {
            row_ = 0;
            ++index_;
        }
    }

    std::uint64_t position_ = 0;  // bytes before
    std::size_t index_ = 0;
    std::uint64_t row_ = 0;
    std::uint64_t used_ = 0;  // bytes of the row
};

}  // namespace vnpu::hw

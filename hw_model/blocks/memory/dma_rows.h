// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/blocks/memory/dma_piece.h"
#include "hw_model/blocks/memory/mmu.h"

namespace vnpu::hw {

/// Calls visit(address, bytes) for each row in order until it returns false; true if it never did.
template <typename Visit>
bool forEachRow(const std::vector<DmaPiece>& pieces, const Visit& visit) {
    for (const DmaPiece& piece : pieces) {
        for (std::uint64_t row = 0; row < piece.rows; ++row) {
            if (!visit(piece.address + row * piece.stride, piece.bytes)) {
                return false;
            }
        }
    }
    return true;
}

/// The rows of one side of a transfer, in the order of the bytes. Adjacent rows are joined; rows
/// that overlap or repeat are not, since each of them carries its own bytes.
class DmaRows {
  public:
    DmaRows() = default;
    DmaRows(std::uint64_t base, std::uint64_t rowBytes, const std::uint32_t (&counts)[3],
            const std::uint32_t (&strides)[3]);

    std::uint64_t base() const { return base_; }

    /// One past the last byte, saturated at 2^64 - 1.
    std::uint64_t end() const { return end_; }

    /// Calls visit(piece) in order for each group of rows of the innermost dimension, until it
    /// returns false.
    template <typename Visit>
    bool forEachPiece(const Visit& visit) const {
        for (std::uint64_t i = 0; i < counts_[2]; ++i) {
            for (std::uint64_t j = 0; j < counts_[1]; ++j) {
                if (!visit(DmaPiece{base_ + i * strides_[2] + j * strides_[1], rowBytes_,
                                    counts_[0], strides_[0]})) {
                    return false;
                }
            }
        }
        return true;
    }

  private:
    std::uint64_t base_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t rowBytes_ = 0;
    std::array<std::uint64_t, 3> counts_{};  // innermost first
    std::array<std::uint64_t, 3> strides_{};
};

/// The parameters of a translation.
struct DmaTranslation {
    Mmu& mmu;
    std::uint32_t contextId = 0;
    Engine engine = Engine::kController;
    bool isWrite = false;
};

struct DmaTranslationResult {
    JobStatus status = JobStatus::kOk;
    bool isPermission = false;
    std::uint64_t faultAddress = 0;
    std::uint64_t walkCycles = 0;
    std::vector<std::uint64_t> tableReads{};  // of the walks, as of Mmu::Result
    // All bytes lie at bus addresses [busFirst, busEnd).
    std::uint64_t busFirst = UINT64_MAX;
    std::uint64_t busEnd = 0;
};

/// Translates every page that the rows touch, in order, once for consecutive accesses to the same
/// page. Appends the bus addresses to `pieces` if it is not null. Stops at the first fault.
DmaTranslationResult translateRows(const DmaTranslation& how, const DmaRows& rows,
                                   std::vector<DmaPiece>* pieces);

/// Lists the rows themselves as pieces (for the SRAM side).
void listRows(const DmaRows& rows, std::vector<DmaPiece>& pieces);

}  // namespace vnpu::hw

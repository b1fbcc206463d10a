// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw_model/blocks/memory/dma_rows.h"
#include "hw_model/blocks/memory/system_memory.h"

namespace vnpu::hw {

/// The copies of a transfer between on-chip memory and memory accessible by pointers. Any thread
/// can run them.
class DmaCopies {
  public:
    enum class Direction : std::uint8_t { kLoad, kStore };

    /// `onChip` and `bus` list the same number of bytes in the same order; offsets of `onChip` are
    /// from `onChipBytes`.
    DmaCopies(Direction direction, std::byte* onChipBytes, const std::vector<DmaPiece>& onChip,
              const std::vector<DmaPiece>& bus, SystemMemory& memory);

    /// False if part of the memory has no pointer; then nothing can be copied.
    bool isPossible() const { return isPossible_; }

    void run() const;

  private:
    /// Rows that are evenly spaced on both sides.
    struct Run {
        std::byte* onChip;
        std::byte* memory;
        std::uint64_t bytes;  // of a row
        std::uint64_t rows;
        std::uint64_t onChipStep;  // from row to row
        std::uint64_t memoryStep;
    };

    Direction direction_;
    bool isPossible_ = true;
    std::vector<Run> runs_;
};

/// Packs the bytes of `pieces`, addresses relative to `memory`, into `bytes`.
void gatherPieces(const std::byte* memory, const std::vector<DmaPiece>& pieces, std::byte* bytes);
/// The reverse of gatherPieces().
void scatterPieces(const std::byte* bytes, const std::vector<DmaPiece>& pieces, std::byte* memory);

/// Packs the bytes of `pieces` (bus addresses) into `bytes`, and the reverse. Return the address of
/// the row that got a bus error; rows before it may have been copied.
std::optional<std::uint64_t> readPieces(SystemMemory& memory, const std::vector<DmaPiece>& pieces,
                                        std::byte* bytes);
std::optional<std::uint64_t> writePieces(SystemMemory& memory, const std::vector<DmaPiece>& pieces,
                                         const std::byte* bytes);

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw_model/blocks/memory/dma_rows.h"
#include "hw_model/blocks/memory/system_memory.h"

namespace vnpu::hw {

/// The bytes of a transfer between on-chip memory and memory that pointers reach, as copies that
/// any thread can make.
class DmaCopies {
  public:
    enum class Direction : std::uint8_t { kLoad, kStore };

    /// `onChip` and `bus` list the same number of bytes in the same order; offsets of `onChip` are
    /// from `onChipBytes`.
    DmaCopies(Direction direction, std::byte* onChipBytes, const std::vector<DmaPiece>& onChip,
              const std::vector<DmaPiece>& bus, SystemMemory& memory);

    /// False where some of the memory has no pointer: then there are no copies to make.
    bool isPossible() const { return isPossible_; }

    void run() const;

  private:
    /// Rows that lie evenly on both sides.
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

/// The bytes of `pieces`, addresses from `memory`, one behind the other to `bytes`.
void gatherPieces(const std::byte* memory, const std::vector<DmaPiece>& pieces, std::byte* bytes);
/// And back.
void scatterPieces(const std::byte* bytes, const std::vector<DmaPiece>& pieces, std::byte* memory);

/// The bytes of `pieces`, bus addresses, one behind the other to `bytes`, and back. The address of
/// the row that the bus answered with an error, where those before it may have been copied.
std::optional<std::uint64_t> readPieces(SystemMemory& memory, const std::vector<DmaPiece>& pieces,
                                        std::byte* bytes);
std::optional<std::uint64_t> writePieces(SystemMemory& memory, const std::vector<DmaPiece>& pieces,
                                         const std::byte* bytes);

}  // namespace vnpu::hw

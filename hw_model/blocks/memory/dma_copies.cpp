// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/dma_copies.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vnpu::hw {

namespace {

// Pointers to memory, requested again where the last one does not reach.
class MemoryPointers {
  public:
    MemoryPointers(SystemMemory& memory, bool isWrite) : memory_(memory), isWrite_(isWrite) {}

    /// Null if there is no pointer; `reach` is set to the number of bytes it covers.
    std::byte* at(std::uint64_t address, std::uint64_t& reach) {
        if (address < first_ || address - first_ >= reach_) {
            reach_ = UINT64_MAX;
            window_ = memory_.reach(address, isWrite_, reach_);
            first_ = address;
        }
        reach = reach_ - (address - first_);
        return window_ == nullptr ? nullptr : window_ + (address - first_);
    }

  private:
    SystemMemory& memory_;
    bool isWrite_;
    std::uint64_t first_ = 0;
    std::uint64_t reach_ = 0;
    std::byte* window_ = nullptr;
};

// A position in a list of rows.
class RowCursor {
  public:
    explicit RowCursor(const std::vector<DmaPiece>& pieces) : pieces_(pieces) {}

    bool isAtEnd() const { return index_ == pieces_.size(); }
    std::uint64_t address() const { return piece().address + row_ * piece().stride + used_; }
    /// In the current row.
    std::uint64_t bytesLeft() const { return piece().bytes - used_; }

    /// The number of evenly spaced parts of `bytes` from here on; `bytes` is at most bytesLeft().
    std::uint64_t partsOf(std::uint64_t bytes) const {
        return isWholeRow(bytes) ? piece().rows - row_ : bytesLeft() / bytes;
    }
    /// The distance between those parts.
    std::uint64_t stepOf(std::uint64_t bytes) const {
        return isWholeRow(bytes) ? piece().stride : bytes;
    }

    void advance(std::uint64_t bytes, std::uint64_t parts) {
        if (isWholeRow(bytes)) {
            row_ += parts;
        } else {
            used_ += bytes * parts;
            if (bytesLeft() == 0) {
                used_ = 0;
                ++row_;
            }
        }
        if (row_ == piece().rows) {
            row_ = 0;
            ++index_;
        }
    }

  private:
    const DmaPiece& piece() const { return pieces_[index_]; }
    bool isWholeRow(std::uint64_t bytes) const { return bytes == piece().bytes; }

    const std::vector<DmaPiece>& pieces_;
    std::size_t index_ = 0;
    std::uint64_t row_ = 0;
    std::uint64_t used_ = 0;  // bytes of the row
};

}  // namespace

DmaCopies::DmaCopies(Direction direction, std::byte* onChipBytes,
                     const std::vector<DmaPiece>& onChip, const std::vector<DmaPiece>& bus,
                     SystemMemory& memory)
    : direction_(direction) {
    MemoryPointers pointers(memory, direction == Direction::kStore);
    RowCursor here(onChip);
    RowCursor there(bus);
    while (!here.isAtEnd()) {
        std::uint64_t reach = 0;
        std::byte* const bytes = pointers.at(there.address(), reach);
        if (bytes == nullptr) {
            isPossible_ = false;
            return;
        }
        Run run{};
        run.onChip = onChipBytes + here.address();
        run.memory = bytes;
        run.bytes = std::min({here.bytesLeft(), there.bytesLeft(), reach});
        run.onChipStep = here.stepOf(run.bytes);
        run.memoryStep = there.stepOf(run.bytes);
        run.rows = std::min(here.partsOf(run.bytes), there.partsOf(run.bytes));
        if (run.memoryStep != 0) {
            run.rows = std::min(run.rows, (reach - run.bytes) / run.memoryStep + 1);
        }
        here.advance(run.bytes, run.rows);
        there.advance(run.bytes, run.rows);
        runs_.push_back(run);
    }
}

void DmaCopies::run() const {
    for (const Run& run : runs_) {
        for (std::uint64_t row = 0; row < run.rows; ++row) {
            std::byte* const onChip = run.onChip + row * run.onChipStep;
            std::byte* const memory = run.memory + row * run.memoryStep;
            if (direction_ == Direction::kLoad) {
                SystemMemory::copyIn(onChip, memory, run.bytes);
            } else {
                SystemMemory::copyOut(memory, onChip, run.bytes);
            }
        }
    }
}

namespace {

// Calls move(address, bytes, count) for each row, with `bytes` at the row's place in the packed
// buffer, until it returns false; returns the address of the row that failed.
template <typename Byte, typename Move>
std::optional<std::uint64_t> moveRows(const std::vector<DmaPiece>& pieces, Byte* bytes,
                                      const Move& move) {
    std::optional<std::uint64_t> failed;
    forEachRow(pieces, [&](std::uint64_t address, std::uint64_t count) {
        if (!move(address, std::exchange(bytes, bytes + count), count)) {
            failed = address;
        }
        return !failed;
    });
    return failed;
}

}  // namespace

void gatherPieces(const std::byte* memory, const std::vector<DmaPiece>& pieces, std::byte* bytes) {
    moveRows(pieces, bytes, [&](std::uint64_t address, std::byte* to, std::uint64_t count) {
        std::memcpy(to, memory + address, count);
        return true;
    });
}

void scatterPieces(const std::byte* bytes, const std::vector<DmaPiece>& pieces, std::byte* memory) {
    moveRows(pieces, bytes, [&](std::uint64_t address, const std::byte* from, std::uint64_t count) {
        std::memcpy(memory + address, from, count);
        return true;
    });
}

std::optional<std::uint64_t> readPieces(SystemMemory& memory, const std::vector<DmaPiece>& pieces,
                                        std::byte* bytes) {
    return moveRows(pieces, bytes, [&](std::uint64_t address, std::byte* to, std::uint64_t count) {
        return memory.read(address, to, count);
    });
}

std::optional<std::uint64_t> writePieces(SystemMemory& memory, const std::vector<DmaPiece>& pieces,
                                         const std::byte* bytes) {
    return moveRows(pieces, bytes,
                    [&](std::uint64_t address, const std::byte* from, std::uint64_t count) {
                        return memory.write(address, from, count);
                    });
}

}  // namespace vnpu::hw

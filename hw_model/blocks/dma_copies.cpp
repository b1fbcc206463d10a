// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/dma_copies.h"

#include <algorithm>
#include <cstring>

namespace vnpu::hw {

DmaCopies::DmaCopies(Direction direction, std::byte* onChipBytes,
                     const std::vector<DmaPiece>& onChip, const std::vector<DmaPiece>& bus,
                     SystemMemory& memory)
    : direction_(direction) {
    copies_.reserve(std::max(onChip.size(), bus.size()));
    std::size_t index = 0;
    std::uint64_t used = 0;
    for (const DmaPiece& piece : onChip) {
        for (std::uint64_t done = 0; done < piece.bytes;) {
            const std::uint64_t address = bus[index].address + used;
            std::uint64_t part = std::min(piece.bytes - done, bus[index].bytes - used);
            std::byte* const bytes = memory.reach(address, direction == Direction::kStore, part);
            if (bytes == nullptr) {
                isPossible_ = false;
                return;
            }
            copies_.push_back({onChipBytes + piece.address + done, bytes, part});
            busFirst_ = std::min(busFirst_, address);
            busEnd_ = std::max(busEnd_, address + part);
            done += part;
            used += part;
            if (used == bus[index].bytes) {
                ++index;
                used = 0;
            }
        }
    }
}

void DmaCopies::run() const {
    for (const Copy& copy : copies_) {
        if (direction_ == Direction::kLoad) {
            SystemMemory::copyIn(copy.onChip, copy.memory, copy.bytes);
        } else {
            SystemMemory::copyOut(copy.memory, copy.onChip, copy.bytes);
        }
    }
}

void gatherPieces(const std::byte* memory, const std::vector<DmaPiece>& pieces, std::byte* bytes) {
    for (const DmaPiece& piece : pieces) {
        std::memcpy(bytes, memory + piece.address, piece.bytes);
        bytes += piece.bytes;
    }
}

void scatterPieces(const std::byte* bytes, const std::vector<DmaPiece>& pieces, std::byte* memory) {
    for (const DmaPiece& piece : pieces) {
        std::memcpy(memory + piece.address, bytes, piece.bytes);
        bytes += piece.bytes;
    }
}

}  // namespace vnpu::hw

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/compiler/ir/range_allocator.h"
#include "driver/compiler/stream/command_list.h"

namespace vnpu::driver {

/// Bytes that a transfer has brought into SRAM and can bring again: neither they nor their source
/// have been written since.
struct MemoryCopy {
    std::uint32_t command = 0;  // index into the list
    Span64 bytes;               // of SRAM
    std::uint16_t region = 0;
    Span64 source;  // of that region: all bytes that the transfer's rows span
};

/// The bytes in SRAM that memory still holds. Stepped forwards, command by command.
class MemoryCopies {
  public:
    /// `regions` are the stream's and outlive this. Only the stream's own commands write constants
    /// and scratch memory; bytes from other regions never count as copies.
    explicit MemoryCopies(std::span<const Region> regions) : regions_(regions) {}

    /// Moves from the place before the command with this index to the place behind it.
    void step(std::uint32_t index, const Payload& payload);

    /// Bytes of copies that the command, which comes next, reads.
    std::vector<Span64> readBy(const Payload& payload) const;

    /// No two overlap; by rising place in the stream.
    const std::vector<MemoryCopy>& all() const { return copies_; }

  private:
    void load(std::uint32_t index, const hw::DmaTransfer& work);
    void forgetOverwritten(const Access& access);
    void forgetWritable();

    std::span<const Region> regions_;
    std::vector<MemoryCopy> copies_;
};

}  // namespace vnpu::driver

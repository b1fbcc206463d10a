// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vnpu::hw::kernels {

/// What the decoder finds wrong with a block.
enum class WeightCodeFault : std::uint8_t {
    kNone,
    kShortHeader,  // fewer bytes than a header
    kBadHeader,    // an unknown kind, or a stored block with a center or lengths
    kBadLengths,   // a length above 10 bits, or more code words than such lengths have room for
    kBadCodeWord,  // bits that are no code word
    kTruncated,    // the bytes end before the block does
    kLongRun,      // a run reaches beyond the block's end
    kTrailing,     // bytes or bits other than 0 behind the last code word
    kBadCrc,
};

/// A few words for reports ("bits that are no code word").
std::string_view describe(WeightCodeFault fault);

/// Decodes one block (hw_model/regs/weight_code.h) that takes all of `coded` and fills all of
/// `bytes`. Reads and writes nothing outside of them, whatever they contain; after a fault `bytes`
/// has no defined content. Any thread.
WeightCodeFault decodeWeights(std::span<const std::byte> coded, std::span<std::byte> bytes);

}  // namespace vnpu::hw::kernels

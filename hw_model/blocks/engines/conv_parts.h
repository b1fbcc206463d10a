// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/regs/command_stream.h"

namespace vnpu::hw {

/// The number of parts into which a large command is split so that several threads can compute it.
/// The split does not affect the device's timing.
struct ConvParts {
    std::uint32_t rows = 1;      // of the output, 1 to outputHeight
    std::uint32_t channels = 1;  // 1 to outputChannels

    std::uint32_t count() const { return rows * channels; }
};

/// The split of a command that costs `operations` multiply-accumulates: at most about a part for
/// each of `threads` threads, as each part prepares its operands again; one part if sums stay in
/// accumulators, or an output overlaps an input.
ConvParts partsOf(const MacConv& work, std::uint64_t operations, std::size_t threads);

/// Part `index`, below parts.count(). Together the parts write the results of the whole command.
MacConv partOf(const MacConv& work, const ConvParts& parts, std::uint32_t index);

}  // namespace vnpu::hw

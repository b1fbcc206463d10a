// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/regs/command_stream.h"

namespace vnpu::hw {

/// Into how many commands a large one is cut, whose results several threads can compute. What the
/// device does at what time has nothing to do with it.
struct ConvParts {
    std::uint32_t rows = 1;      // of its output, 1 to outputHeight
    std::uint32_t channels = 1;  // 1 to outputChannels

    std::uint32_t count() const { return rows * channels; }
};

/// For a command that costs as much as so many multiply-accumulates; one part where sums stay in
/// accumulators, or an output covers an input.
ConvParts partsOf(const MacConv& work, std::uint64_t operations);

/// Part `index` below parts.count(). Together the parts write what the whole command does.
MacConv partOf(const MacConv& work, const ConvParts& parts, std::uint32_t index);

}  // namespace vnpu::hw

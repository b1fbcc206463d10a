// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/regs/weight_code.h"

namespace vnpu::driver {

/// How often each symbol of the weights' code occurs.
using SymbolCounts = std::array<std::uint64_t, hw::kWeightSymbols>;
/// Bits of its code word, 0 for a symbol that does not occur.
using CodeLengths = std::array<std::uint8_t, hw::kWeightSymbols>;

/// The lengths of a prefix code of at most hw::kMostCodeBits bits: Huffman's, where these suffice,
/// else close to the best. A single symbol gets one bit.
CodeLengths codeLengths(const SymbolCounts& counts);

}  // namespace vnpu::driver

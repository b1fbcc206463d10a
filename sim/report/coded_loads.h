// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vnpu::sim {

/// What the coded transfers of one execution move.
struct CodedLoads {
    std::uint64_t codedBytes = 0;    // from memory
    std::uint64_t decodedBytes = 0;  // into SRAM
};

/// Of a command stream, whose branches count as not taken.
CodedLoads codedLoadsOf(std::span<const std::byte> commands);

}  // namespace vnpu::sim

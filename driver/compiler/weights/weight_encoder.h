// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vnpu::driver {

/// The size of encodeWeights(bytes), without the coded bytes.
std::uint64_t encodedSize(std::span<const std::byte> bytes);

/// The bytes as one block of the decoder's code (hw_model/regs/weight_code.h), with the code words
/// that suit them best. Longer than `bytes` by a header at most.
std::vector<std::byte> encodeWeights(std::span<const std::byte> bytes);

}  // namespace vnpu::driver

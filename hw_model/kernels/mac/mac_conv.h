// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// macConv of kernels.h on a given backend.
void macConvOn(const MacBackend& backend, const MacConv& work, std::byte* sram,
               std::byte* accumulators);

/// The time of one depthwise product, in products of a matrix product; measured with AVX-512.
inline constexpr std::uint64_t kDepthwiseCost = 14;

/// Whether the output of a draining command overlaps its input: then everything must be read before
/// anything is drained.
bool overwritesInput(const MacConv& work);

}  // namespace vnpu::hw::kernels

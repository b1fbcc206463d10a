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

/// Products of a matrix product that take the time of a depthwise one; measured with AVX-512.
inline constexpr std::uint64_t kDepthwiseCost = 14;

/// Whether the output of a draining command covers bytes of its input: then nothing may be drained
/// before all is read.
bool overwritesInput(const MacConv& work);

}  // namespace vnpu::hw::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// Divides a MAC command into about `parts` commands over some of its blocks each, so that a job
/// can be preempted between them. They compute the same results, in the same order where the
/// division by channels is enough. Returns the command itself where it has one block, and where it
/// takes sums from the accumulators or leaves sums there. Depthwise commands are not divided by
/// channels.
std::vector<hw::MacConv> macParts(const hw::MacConv& work, std::uint64_t parts);

}  // namespace vnpu::driver

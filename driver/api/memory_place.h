// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::driver {

enum class MemoryPlace { kDeviceDram, kOnChip };

/// Where memory for the contents of a buffer of a memory domain was taken.
struct BufferPlacement {
    std::uint32_t uid = 0;        // of the buffer's owner
    std::uint64_t sizeBytes = 0;  // of the contents
    MemoryPlace place = MemoryPlace::kDeviceDram;
};

}  // namespace vnpu::driver

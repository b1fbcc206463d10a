// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <cstdint>

namespace vnpu::sim {

/// The kinds of memory that any argument or constant may lie in.
enum class PoolKind { kAshmem, kMmapFd, kHardwareBufferBlob };

/// The name that memory of this kind has in the HAL.
const char* nameOf(PoolKind kind);

/// New memory of zero bytes. Throws std::runtime_error if there is none.
android::hardware::hidl_memory createPoolMemory(PoolKind kind, std::uint64_t sizeBytes);

}  // namespace vnpu::sim

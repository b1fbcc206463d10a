// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <cstdint>

namespace vnpu::sim {

/// The kinds of memory for arguments and constants.
enum class PoolKind { kAshmem, kMmapFd, kHardwareBufferBlob };

/// The name of this kind of memory in the HAL.
const char* nameOf(PoolKind kind);

/// New zeroed memory. Throws std::runtime_error if there is none.
android::hardware::hidl_memory createPoolMemory(PoolKind kind, std::uint64_t sizeBytes);

}  // namespace vnpu::sim

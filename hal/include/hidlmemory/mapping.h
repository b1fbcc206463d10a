// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/memory/1.0/IMemory.h>
#include <hidl/HidlSupport.h>

namespace android::hardware {

/// Maps an "ashmem" or "mmap_fd" memory; null if that fails, whatever the memory claims to be.
sp<::android::hidl::memory::V1_0::IMemory> mapMemory(const hidl_memory& memory);

}  // namespace android::hardware

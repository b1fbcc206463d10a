// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/memory/1.0/IMemory.h>
#include <hidl/HidlSupport.h>

namespace android::hardware {

/// Maps any memory that MappedPool (vnpu/hal/shared_memory.h) can map; null if that fails.
sp<::android::hidl::memory::V1_0::IMemory> mapMemory(const hidl_memory& memory);

}  // namespace android::hardware

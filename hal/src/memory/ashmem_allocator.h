// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/allocator/1.0/IAllocator.h>

namespace vnpu::hal {

/// The allocator behind IAllocator::getService("ashmem"). Any thread.
android::sp<android::hidl::allocator::V1_0::IAllocator> makeAshmemAllocator();

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>
#include <functional>

namespace android::hidl::allocator::V1_0 {

/// Allocates memory; the instance "ashmem" is part of this library.
struct IAllocator
    : public ::android::hardware::details::Interface<IAllocator,
                                                     ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor = "android.hidl.allocator@1.0::IAllocator";

    using allocate_cb =
            std::function<void(bool success, const ::android::hardware::hidl_memory& memory)>;
    using batchAllocate_cb = std::function<void(
            bool success,
            const ::android::hardware::hidl_vec<::android::hardware::hidl_memory>& batch)>;

    virtual ::android::hardware::Return<void> allocate(uint64_t size, allocate_cb callback) = 0;
    /// `count` blocks of `size` bytes, or none.
    virtual ::android::hardware::Return<void> batchAllocate(uint64_t size, uint64_t count,
                                                            batchAllocate_cb callback) = 0;
};

}  // namespace android::hidl::allocator::V1_0

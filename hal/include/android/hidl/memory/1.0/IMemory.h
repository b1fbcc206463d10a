// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>

namespace android::hidl::memory::V1_0 {

/// A block of memory that is mapped into this process for as long as the object lives. The calls
/// around reading and writing do nothing: processes share the memory itself.
struct IMemory
    : public ::android::hardware::details::Interface<IMemory, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor = "android.hidl.memory@1.0::IMemory";

    virtual ::android::hardware::Return<void> update() = 0;
    virtual ::android::hardware::Return<void> updateRange(uint64_t start, uint64_t length) = 0;
    virtual ::android::hardware::Return<void> read() = 0;
    virtual ::android::hardware::Return<void> readRange(uint64_t start, uint64_t length) = 0;
    virtual ::android::hardware::Return<void> commit() = 0;
    virtual ::android::hardware::Return<void*> getPointer() = 0;
    virtual ::android::hardware::Return<uint64_t> getSize() = 0;
};

}  // namespace android::hidl::memory::V1_0

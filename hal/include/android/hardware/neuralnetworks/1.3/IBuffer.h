// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>

namespace android::hardware::neuralnetworks::V1_3 {

/// Memory that the device manages; requests name it by the token it was allocated with.
struct IBuffer : public details::Interface<IBuffer, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor = "android.hardware.neuralnetworks@1.3::IBuffer";

    virtual Return<ErrorStatus> copyTo(const hidl_memory& destination) = 0;
    virtual Return<ErrorStatus> copyFrom(const hidl_memory& source,
                                         const hidl_vec<uint32_t>& dimensions) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_3

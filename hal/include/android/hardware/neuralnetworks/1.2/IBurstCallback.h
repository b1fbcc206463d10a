// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>
#include <functional>

namespace android::hardware::neuralnetworks::V1_2 {

/// The client's end of a burst: gives the memory that a slot number stands for.
struct IBurstCallback
    : public details::Interface<IBurstCallback, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.2::IBurstCallback";

    using getMemories_cb =
            std::function<void(V1_0::ErrorStatus status, const hidl_vec<hidl_memory>& buffers)>;

    virtual Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_2

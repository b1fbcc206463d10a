// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>

namespace android::hardware::neuralnetworks::V1_2 {

/// The device's end of a burst; it lasts as long as somebody holds it.
struct IBurstContext
    : public details::Interface<IBurstContext, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.2::IBurstContext";

    virtual Return<void> freeMemory(int32_t slot) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_2

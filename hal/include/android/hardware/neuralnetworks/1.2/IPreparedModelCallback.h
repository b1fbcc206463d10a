// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hardware::neuralnetworks::V1_2 {

struct IPreparedModelCallback
    : public details::Interface<IPreparedModelCallback, V1_0::IPreparedModelCallback> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.2::IPreparedModelCallback";

    virtual Return<void> notify_1_2(V1_0::ErrorStatus status,
                                    const sp<IPreparedModel>& preparedModel) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hardware::neuralnetworks::V1_2 {

struct IExecutionCallback
    : public details::Interface<IExecutionCallback, V1_0::IExecutionCallback> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.2::IExecutionCallback";

    virtual Return<void> notify_1_2(V1_0::ErrorStatus status,
                                    const hidl_vec<OutputShape>& outputShapes,
                                    const Timing& timing) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hardware::neuralnetworks::V1_3 {

struct IExecutionCallback
    : public details::Interface<IExecutionCallback, V1_2::IExecutionCallback> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.3::IExecutionCallback";

    virtual Return<void> notify_1_3(ErrorStatus status,
                                    const hidl_vec<V1_2::OutputShape>& outputShapes,
                                    const V1_2::Timing& timing) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_3

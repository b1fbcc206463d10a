// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hardware::neuralnetworks::V1_0 {

/// The client's end of an asynchronous execution.
struct IExecutionCallback
    : public details::Interface<IExecutionCallback, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.0::IExecutionCallback";

    virtual Return<void> notify(ErrorStatus status) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_0

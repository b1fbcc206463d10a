// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hardware::neuralnetworks::V1_0 {

/// A model that a device is ready to execute.
struct IPreparedModel
    : public details::Interface<IPreparedModel, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.0::IPreparedModel";

    virtual Return<ErrorStatus> execute(const Request& request,
                                        const sp<IExecutionCallback>& callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_0

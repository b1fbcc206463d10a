// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hardware::neuralnetworks::V1_0 {

/// The client's end of an asynchronous preparation.
struct IPreparedModelCallback
    : public details::Interface<IPreparedModelCallback, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.0::IPreparedModelCallback";

    virtual Return<void> notify(ErrorStatus status, const sp<IPreparedModel>& preparedModel) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_0

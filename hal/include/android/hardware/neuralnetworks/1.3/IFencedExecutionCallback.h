// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <functional>

namespace android::hardware::neuralnetworks::V1_3 {

/// Reports the status and the durations of a fenced execution after its fence was signalled.
struct IFencedExecutionCallback
    : public details::Interface<IFencedExecutionCallback, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.3::IFencedExecutionCallback";

    /// `timingLaunched` counts from the call, `timingFenced` from the last fence waited for.
    using getExecutionInfo_cb =
            std::function<void(ErrorStatus status, const V1_2::Timing& timingLaunched,
                               const V1_2::Timing& timingFenced)>;

    virtual Return<void> getExecutionInfo(getExecutionInfo_cb callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_3

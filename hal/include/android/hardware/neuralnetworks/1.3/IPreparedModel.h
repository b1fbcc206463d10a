// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <functional>

namespace android::hardware::neuralnetworks::V1_3 {

struct IPreparedModel : public details::Interface<IPreparedModel, V1_2::IPreparedModel> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.3::IPreparedModel";

    using executeSynchronously_1_3_cb =
            std::function<void(ErrorStatus status, const hidl_vec<V1_2::OutputShape>& outputShapes,
                               const V1_2::Timing& timing)>;
    /// An empty `syncFence` says that the execution is over.
    using executeFenced_cb = std::function<void(ErrorStatus status, const hidl_handle& syncFence,
                                                const sp<IFencedExecutionCallback>& callback)>;

    virtual Return<ErrorStatus> execute_1_3(const Request& request, V1_2::MeasureTiming measure,
                                            const OptionalTimePoint& deadline,
                                            const OptionalTimeoutDuration& loopTimeoutDuration,
                                            const sp<IExecutionCallback>& callback) = 0;
    virtual Return<void> executeSynchronously_1_3(
            const Request& request, V1_2::MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalTimeoutDuration& loopTimeoutDuration,
            executeSynchronously_1_3_cb callback) = 0;
    /// `duration` counts from when all of `waitFor` are signalled.
    virtual Return<void> executeFenced(const Request& request, const hidl_vec<hidl_handle>& waitFor,
                                       V1_2::MeasureTiming measure,
                                       const OptionalTimePoint& deadline,
                                       const OptionalTimeoutDuration& loopTimeoutDuration,
                                       const OptionalTimeoutDuration& duration,
                                       executeFenced_cb callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_3

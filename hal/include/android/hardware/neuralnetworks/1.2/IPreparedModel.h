// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/MQDescriptor.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <functional>

namespace android::hardware::neuralnetworks::V1_2 {

struct IPreparedModel : public details::Interface<IPreparedModel, V1_0::IPreparedModel> {
    static inline const char* const descriptor =
            "android.hardware.neuralnetworks@1.2::IPreparedModel";

    using executeSynchronously_cb =
            std::function<void(V1_0::ErrorStatus status, const hidl_vec<OutputShape>& outputShapes,
                               const Timing& timing)>;
    using configureExecutionBurst_cb =
            std::function<void(V1_0::ErrorStatus status, const sp<IBurstContext>& context)>;

    virtual Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request& request,
                                                  MeasureTiming measure,
                                                  const sp<IExecutionCallback>& callback) = 0;
    virtual Return<void> executeSynchronously(const V1_0::Request& request, MeasureTiming measure,
                                              executeSynchronously_cb callback) = 0;
    virtual Return<void> configureExecutionBurst(
            const sp<IBurstCallback>& burstCallback,
            const MQDescriptorSync<FmqRequestDatum>& requestChannel,
            const MQDescriptorSync<FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_2

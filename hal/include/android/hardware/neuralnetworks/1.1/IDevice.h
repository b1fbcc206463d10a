// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <functional>

namespace android::hardware::neuralnetworks::V1_1 {

struct IDevice : public details::Interface<IDevice, V1_0::IDevice> {
    static inline const char* const descriptor = "android.hardware.neuralnetworks@1.1::IDevice";

    using getCapabilities_1_1_cb =
            std::function<void(V1_0::ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_1_1_cb = std::function<void(
            V1_0::ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;

    virtual Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_1(const Model& model,
                                                    getSupportedOperations_1_1_cb callback) = 0;
    virtual Return<V1_0::ErrorStatus> prepareModel_1_1(
            const Model& model, ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_1

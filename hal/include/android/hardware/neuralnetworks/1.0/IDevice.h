// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <functional>

namespace android::hardware::neuralnetworks::V1_0 {

/// A device that prepares models.
struct IDevice : public details::Interface<IDevice, ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor = "android.hardware.neuralnetworks@1.0::IDevice";

    using getCapabilities_cb =
            std::function<void(ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_cb =
            std::function<void(ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;

    virtual Return<void> getCapabilities(getCapabilities_cb callback) = 0;
    virtual Return<void> getSupportedOperations(const Model& model,
                                                getSupportedOperations_cb callback) = 0;
    virtual Return<ErrorStatus> prepareModel(const Model& model,
                                             const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<DeviceStatus> getStatus() = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_0

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/IDevice.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>
#include <functional>

namespace android::hardware::neuralnetworks::V1_2 {

struct IDevice : public details::Interface<IDevice, V1_1::IDevice> {
    static inline const char* const descriptor = "android.hardware.neuralnetworks@1.2::IDevice";

    using getVersionString_cb =
            std::function<void(V1_0::ErrorStatus status, const hidl_string& version)>;
    using getType_cb = std::function<void(V1_0::ErrorStatus status, DeviceType type)>;
    using getCapabilities_1_2_cb =
            std::function<void(V1_0::ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedExtensions_cb =
            std::function<void(V1_0::ErrorStatus status, const hidl_vec<Extension>& extensions)>;
    using getSupportedOperations_1_2_cb = std::function<void(
            V1_0::ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;
    using getNumberOfCacheFilesNeeded_cb = std::function<void(
            V1_0::ErrorStatus status, uint32_t numModelCache, uint32_t numDataCache)>;

    virtual Return<void> getVersionString(getVersionString_cb callback) = 0;
    virtual Return<void> getType(getType_cb callback) = 0;
    virtual Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) = 0;
    virtual Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_2(const Model& model,
                                                    getSupportedOperations_1_2_cb callback) = 0;
    virtual Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) = 0;
    virtual Return<V1_0::ErrorStatus> prepareModel_1_2(
            const Model& model, V1_1::ExecutionPreference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const hidl_array<uint8_t, 32>& token, const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const hidl_array<uint8_t, 32>& token, const sp<IPreparedModelCallback>& callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_2

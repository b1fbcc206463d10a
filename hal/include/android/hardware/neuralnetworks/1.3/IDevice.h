// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

#include <cstdint>
#include <functional>

namespace android::hardware::neuralnetworks::V1_3 {

struct IDevice : public details::Interface<IDevice, V1_2::IDevice> {
    static inline const char* const descriptor = "android.hardware.neuralnetworks@1.3::IDevice";

    using getCapabilities_1_3_cb =
            std::function<void(ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_1_3_cb =
            std::function<void(ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;
    using allocate_cb =
            std::function<void(ErrorStatus status, const sp<IBuffer>& buffer, uint32_t token)>;

    virtual Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_3(const Model& model,
                                                    getSupportedOperations_1_3_cb callback) = 0;
    virtual Return<ErrorStatus> prepareModel_1_3(
            const Model& model, V1_1::ExecutionPreference preference, Priority priority,
            const OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const hidl_array<uint8_t, 32>& token,
            const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<ErrorStatus> prepareModelFromCache_1_3(
            const OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const hidl_array<uint8_t, 32>& token,
            const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<void> allocate(const BufferDesc& desc,
                                  const hidl_vec<sp<IPreparedModel>>& preparedModels,
                                  const hidl_vec<BufferRole>& inputRoles,
                                  const hidl_vec<BufferRole>& outputRoles,
                                  allocate_cb callback) = 0;
};

}  // namespace android::hardware::neuralnetworks::V1_3

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <functional>

namespace vnpu::hal::rpc::test {

/// A device whose methods a test overrides as needed; the others report that nothing is
/// implemented.
class RecordingDevice : public android::hardware::neuralnetworks::V1_3::IDevice {
    template <typename T>
    using Return = android::hardware::Return<T>;
    template <typename T>
    using Vec = android::hardware::hidl_vec<T>;
    using Handles = Vec<android::hardware::hidl_handle>;
    using Token = android::hardware::hidl_array<uint8_t, 32>;
    using E0 = android::hardware::neuralnetworks::V1_0::ErrorStatus;
    using E3 = android::hardware::neuralnetworks::V1_3::ErrorStatus;
    using Model10 = android::hardware::neuralnetworks::V1_0::Model;
    using Model11 = android::hardware::neuralnetworks::V1_1::Model;
    using Model12 = android::hardware::neuralnetworks::V1_2::Model;
    using Model13 = android::hardware::neuralnetworks::V1_3::Model;
    using Preference = android::hardware::neuralnetworks::V1_1::ExecutionPreference;
    using Priority = android::hardware::neuralnetworks::V1_3::Priority;
    using TimePoint = android::hardware::neuralnetworks::V1_3::OptionalTimePoint;
    using Callback10 = android::sp<android::hardware::neuralnetworks::V1_0::IPreparedModelCallback>;
    using Callback12 = android::sp<android::hardware::neuralnetworks::V1_2::IPreparedModelCallback>;
    using Callback13 = android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModelCallback>;
    using DeviceStatus = android::hardware::neuralnetworks::V1_0::DeviceStatus;

    static android::hardware::Status nothing() {
        return android::hardware::Status::fromExceptionCode(
                android::hardware::Status::EX_UNSUPPORTED_OPERATION, "not in this test");
    }

  public:
    std::function<DeviceStatus()> onGetStatus = [] { return DeviceStatus::AVAILABLE; };
    std::function<E3(const Model13& model, const Handles& modelCache, const Token& token,
                     const Callback13& callback)>
            onPrepare = [](const auto&, const auto&, const auto&, const auto&) {
                return E3::GENERAL_FAILURE;
            };
    std::function<void(
            const Vec<android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel>>& models,
            const allocate_cb& callback)>
            onAllocate = [](const auto&, const auto& callback) {
                callback(E3::GENERAL_FAILURE, nullptr, 0);
            };

    Return<void> getCapabilities(getCapabilities_cb) override { return nothing(); }
    Return<void> getSupportedOperations(const Model10&, getSupportedOperations_cb) override {
        return nothing();
    }
    Return<E0> prepareModel(const Model10&, const Callback10&) override { return nothing(); }
    Return<DeviceStatus> getStatus() override { return onGetStatus(); }
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb) override { return nothing(); }
    Return<void> getSupportedOperations_1_1(const Model11&,
                                            getSupportedOperations_1_1_cb) override {
        return nothing();
    }
    Return<E0> prepareModel_1_1(const Model11&, Preference, const Callback10&) override {
        return nothing();
    }
    Return<void> getVersionString(getVersionString_cb callback) override {
        callback(E0::NONE, "recording");
        callback(E0::GENERAL_FAILURE, "twice");  // the first call counts
        return android::hardware::Void();
    }
    // never calls the callback
    Return<void> getType(getType_cb) override { return android::hardware::Void(); }
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb) override { return nothing(); }
    Return<void> getSupportedExtensions(getSupportedExtensions_cb) override { return nothing(); }
    Return<void> getSupportedOperations_1_2(const Model12&,
                                            getSupportedOperations_1_2_cb) override {
        return nothing();
    }
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override {
        callback(E0::NONE, 3, 4);
        return android::hardware::Void();
    }
    Return<E0> prepareModel_1_2(const Model12&, Preference, const Handles&, const Handles&,
                                const Token&, const Callback12&) override {
        return nothing();
    }
    Return<E0> prepareModelFromCache(const Handles&, const Handles&, const Token&,
                                     const Callback12&) override {
        return nothing();
    }
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb) override { return nothing(); }
    Return<void> getSupportedOperations_1_3(const Model13& model,
                                            getSupportedOperations_1_3_cb callback) override {
        callback(E3::NONE, Vec<bool>(model.main.operations.size()));
        return android::hardware::Void();
    }
    Return<E3> prepareModel_1_3(const Model13& model, Preference, Priority, const TimePoint&,
                                const Handles& modelCache, const Handles&, const Token& token,
                                const Callback13& callback) override {
        return onPrepare(model, modelCache, token, callback);
    }
    Return<E3> prepareModelFromCache_1_3(const TimePoint&, const Handles&, const Handles&,
                                         const Token&, const Callback13&) override {
        return nothing();
    }
    Return<void> allocate(
            const android::hardware::neuralnetworks::V1_3::BufferDesc&,
            const Vec<android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel>>& models,
            const Vec<android::hardware::neuralnetworks::V1_3::BufferRole>&,
            const Vec<android::hardware::neuralnetworks::V1_3::BufferRole>&,
            allocate_cb callback) override {
        onAllocate(models, callback);
        return android::hardware::Void();
    }
};

}  // namespace vnpu::hal::rpc::test

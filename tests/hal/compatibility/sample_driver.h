// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <hidl/HidlSupport.h>
#include <hidl/LegacySupport.h>
#include <hwbinder/IPCThreadState.h>

#include <string>

// A driver as a vendor would write one: classes that derive from the interfaces of 1.3 and
// implement the methods of all versions. It computes nothing.
namespace compatibility {

namespace hardware = ::android::hardware;
namespace V1_0 = ::android::hardware::neuralnetworks::V1_0;
namespace V1_1 = ::android::hardware::neuralnetworks::V1_1;
namespace V1_2 = ::android::hardware::neuralnetworks::V1_2;
namespace V1_3 = ::android::hardware::neuralnetworks::V1_3;

using ::android::sp;
using ::android::wp;
using hardware::hidl_array;
using hardware::hidl_death_recipient;
using hardware::hidl_enum_range;
using hardware::hidl_handle;
using hardware::hidl_memory;
using hardware::hidl_string;
using hardware::hidl_vec;
using hardware::MQDescriptorSync;
using hardware::Return;
using hardware::Void;

using CacheToken =
        hidl_array<uint8_t, static_cast<uint32_t>(V1_2::Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

const V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

class BurstContext : public V1_2::IBurstContext {
  public:
    Return<void> freeMemory(int32_t slot) override {
        lastFreed = slot;
        return Void();
    }

    int32_t lastFreed = -1;
};

class FencedCallback : public V1_3::IFencedExecutionCallback {
  public:
    FencedCallback(V1_2::Timing launched, V1_2::Timing fenced, V1_3::ErrorStatus error)
        : kTimingLaunched(launched), kTimingFenced(fenced), kErrorStatus(error) {}
    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        callback(kErrorStatus, kTimingLaunched, kTimingFenced);
        return Void();
    }

  private:
    const V1_2::Timing kTimingLaunched;
    const V1_2::Timing kTimingFenced;
    const V1_3::ErrorStatus kErrorStatus;
};

class Buffer : public V1_3::IBuffer {
  public:
    Return<V1_3::ErrorStatus> copyTo(const hidl_memory& destination) override {
        return destination.valid() ? V1_3::ErrorStatus::NONE : V1_3::ErrorStatus::INVALID_ARGUMENT;
    }
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory& source,
                                       const hidl_vec<uint32_t>& dimensions) override {
        return source.valid() && dimensions.size() == 0 ? V1_3::ErrorStatus::NONE
                                                        : V1_3::ErrorStatus::INVALID_ARGUMENT;
    }
};

class PreparedModel : public V1_3::IPreparedModel {
  public:
    explicit PreparedModel(const V1_3::Model& model) : mModel(model) {}

    Return<V1_0::ErrorStatus> execute(const V1_0::Request& request,
                                      const sp<V1_0::IExecutionCallback>& callback) override;
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                          const sp<V1_2::IExecutionCallback>& callback) override;
    Return<V1_3::ErrorStatus> execute_1_3(const V1_3::Request& request, V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                                          const sp<V1_3::IExecutionCallback>& callback) override;
    Return<void> executeSynchronously(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                      executeSynchronously_cb cb) override;
    Return<void> executeSynchronously_1_3(const V1_3::Request& request, V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                                          executeSynchronously_1_3_cb cb) override;
    Return<void> configureExecutionBurst(
            const sp<V1_2::IBurstCallback>& callback,
            const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
            const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb cb) override;
    Return<void> executeFenced(const V1_3::Request& request, const hidl_vec<hidl_handle>& waitFor,
                               V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
                               const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                               const V1_3::OptionalTimeoutDuration& duration,
                               executeFenced_cb callback) override;

    const V1_3::Model* getModel() const { return &mModel; }

  private:
    std::vector<V1_2::OutputShape> outputShapes() const;

    V1_3::Model mModel;
};

class Driver : public V1_3::IDevice {
  public:
    explicit Driver(std::string name) : mName(std::move(name)) {}

    Return<void> getCapabilities(getCapabilities_cb cb) override;
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb cb) override;
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb cb) override;
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb cb) override;
    Return<void> getVersionString(getVersionString_cb cb) override;
    Return<void> getType(getType_cb cb) override;
    Return<void> getSupportedExtensions(getSupportedExtensions_cb cb) override;
    Return<void> getSupportedOperations(const V1_0::Model& model,
                                        getSupportedOperations_cb cb) override;
    Return<void> getSupportedOperations_1_1(const V1_1::Model& model,
                                            getSupportedOperations_1_1_cb cb) override;
    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb cb) override;
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb cb) override;
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb cb) override;
    Return<V1_0::DeviceStatus> getStatus() override { return V1_0::DeviceStatus::AVAILABLE; }
    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override;
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) override;
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const CacheToken& token, const sp<V1_2::IPreparedModelCallback>& callback) override;
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const CacheToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override;
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const CacheToken& token, const sp<V1_2::IPreparedModelCallback>& callback) override;
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const CacheToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override;
    Return<void> allocate(const V1_3::BufferDesc& desc,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                          const hidl_vec<V1_3::BufferRole>& inputRoles,
                          const hidl_vec<V1_3::BufferRole>& outputRoles, allocate_cb cb) override;

    /// The UID of the caller of the last preparation.
    uid_t lastCaller() const { return mLastCaller; }

  private:
    const std::string mName;
    uid_t mLastCaller = 0;
};

}  // namespace compatibility

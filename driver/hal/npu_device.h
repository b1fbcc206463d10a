// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <memory>
#include <optional>
#include <utility>

#include "driver/cache/cache_configuration.h"
#include "driver/cache/compilation_cache.h"
#include "driver/execution/compiler_functions.h"
#include "driver/execution/device_runtime.h"
#include "driver/hal/npu_buffer.h"
#include "driver/hal/npu_prepared_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The HAL service. Preparation runs on the caller's thread, and its callback runs before the call
/// returns. Any host thread.
class NpuDevice : public android::hardware::neuralnetworks::V1_3::IDevice {
    template <typename T>
    using Return = android::hardware::Return<T>;
    template <typename T>
    using Vec = android::hardware::hidl_vec<T>;
    using Handles = android::hardware::hidl_vec<android::hardware::hidl_handle>;
    using CacheToken = android::hardware::hidl_array<uint8_t, 32>;
    using Hal10Status = android::hardware::neuralnetworks::V1_0::ErrorStatus;
    using Hal10Callback =
            android::sp<android::hardware::neuralnetworks::V1_0::IPreparedModelCallback>;
    using Hal12Callback =
            android::sp<android::hardware::neuralnetworks::V1_2::IPreparedModelCallback>;
    using Hal13Callback =
            android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModelCallback>;
    using Model = android::hardware::neuralnetworks::V1_3::Model;
    using ExecutionPreference = android::hardware::neuralnetworks::V1_1::ExecutionPreference;
    using Priority = android::hardware::neuralnetworks::V1_3::Priority;
    using OptionalTimePoint = android::hardware::neuralnetworks::V1_3::OptionalTimePoint;

  public:
    NpuDevice(std::shared_ptr<DeviceRuntime> runtime, CompilerFunctions compiler)
        : runtime_(std::move(runtime)),
          compiler_(std::move(compiler)),
          cacheConfiguration_(
                  cacheConfiguration(runtime_->info(), runtime_->options().versionString)) {}

    DriverCounters counters() const { return runtime_->counters().snapshot(); }
    Result<void> reschedule(const SchedulingOptions& options) {
        return runtime_->reschedule(options);
    }

    // 1.0
    Return<void> getCapabilities(getCapabilities_cb callback) override;
    Return<void> getSupportedOperations(const android::hardware::neuralnetworks::V1_0::Model& model,
                                        getSupportedOperations_cb callback) override;
    Return<Hal10Status> prepareModel(const android::hardware::neuralnetworks::V1_0::Model& model,
                                     const Hal10Callback& callback) override;
    Return<android::hardware::neuralnetworks::V1_0::DeviceStatus> getStatus() override;
    // 1.1
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override;
    Return<void> getSupportedOperations_1_1(
            const android::hardware::neuralnetworks::V1_1::Model& model,
            getSupportedOperations_1_1_cb callback) override;
    Return<Hal10Status> prepareModel_1_1(
            const android::hardware::neuralnetworks::V1_1::Model& model,
            ExecutionPreference preference, const Hal10Callback& callback) override;
    // 1.2
    Return<void> getVersionString(getVersionString_cb callback) override;
    Return<void> getType(getType_cb callback) override;
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override;
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override;
    Return<void> getSupportedOperations_1_2(
            const android::hardware::neuralnetworks::V1_2::Model& model,
            getSupportedOperations_1_2_cb callback) override;
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override;
    Return<Hal10Status> prepareModel_1_2(
            const android::hardware::neuralnetworks::V1_2::Model& model,
            ExecutionPreference preference, const Handles& modelCache, const Handles& dataCache,
            const CacheToken& token, const Hal12Callback& callback) override;
    Return<Hal10Status> prepareModelFromCache(const Handles& modelCache, const Handles& dataCache,
                                              const CacheToken& token,
                                              const Hal12Callback& callback) override;
    // 1.3
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override;
    Return<void> getSupportedOperations_1_3(const Model& model,
                                            getSupportedOperations_1_3_cb callback) override;
    Return<ErrorStatus> prepareModel_1_3(const Model& model, ExecutionPreference preference,
                                         Priority priority, const OptionalTimePoint& deadline,
                                         const Handles& modelCache, const Handles& dataCache,
                                         const CacheToken& token,
                                         const Hal13Callback& callback) override;
    Return<ErrorStatus> prepareModelFromCache_1_3(const OptionalTimePoint& deadline,
                                                  const Handles& modelCache,
                                                  const Handles& dataCache, const CacheToken& token,
                                                  const Hal13Callback& callback) override;
    Return<void> allocate(
            const android::hardware::neuralnetworks::V1_3::BufferDesc& desc,
            const Vec<android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel>>&
                    preparedModels,
            const Vec<android::hardware::neuralnetworks::V1_3::BufferRole>& inputRoles,
            const Vec<android::hardware::neuralnetworks::V1_3::BufferRole>& outputRoles,
            allocate_cb callback) override;

  private:
    /// The cache files and the token of a call, borrowed from its arguments.
    struct CacheArguments {
        const Handles& modelCache;
        const Handles& dataCache;
        const CacheToken& token;
    };

    /// The arguments of a preparation, whatever the HAL version.
    struct Wanted {
        const char* call = "";
        ExecutionPreference preference = ExecutionPreference::FAST_SINGLE_ANSWER;
        Priority priority = Priority::MEDIUM;
        OptionalTimePoint deadline;
        const CacheArguments* cache = nullptr;  // null if the HAL version has none
        bool hasPriority = false;               // the caller gave a priority
    };

    /// The options for the preparation of a valid model.
    struct Terms {
        Priority priority = Priority::MEDIUM;
        ExecutionPreference preference = ExecutionPreference::FAST_SINGLE_ANSWER;
        std::uint64_t checkpointCycles = 0;
        HostDeadline deadline;
    };

    /// The statuses of the call and of its callback; they differ if a valid model cannot be
    /// prepared.
    struct Prepared {
        ErrorStatus launchStatus = ErrorStatus::NONE;
        ErrorStatus status = ErrorStatus::NONE;
        android::sp<NpuPreparedModel> model;  // null on failure
    };

    Prepared prepare(const Result<const Model*>& model, const Wanted& wanted);
    Terms termsOf(const Wanted& wanted) const;
    Result<android::sp<NpuPreparedModel>> prepareValid(const Model& model, const Terms& terms,
                                                       std::uint32_t uid,
                                                       std::optional<CompiledModel> compiled = {});
    Result<Vec<bool>> supportedOperations(const Model& model);
    template <typename AnyModel>
    Prepared prepareEarlier(const AnyModel& model, ExecutionPreference preference, const char* call,
                            const CacheArguments* cache = nullptr);
    template <typename AnyModel>
    Result<Vec<bool>> supportedOperationsEarlier(const AnyModel& model);
    CacheKey keyOf(const CacheToken& token) const;
    /// Saves the prepared model if the call names cache files. A failure is logged and does not
    /// fail the preparation.
    void save(const Wanted& wanted, const PreparedModel& prepared) const;
    Prepared prepareFromCache(const Wanted& wanted);

    /// The roles of a call, borrowed from its arguments.
    struct BufferRoles {
        const Vec<android::hardware::neuralnetworks::V1_3::BufferRole>& inputs;
        const Vec<android::hardware::neuralnetworks::V1_3::BufferRole>& outputs;
    };
    Result<android::sp<NpuBuffer>> allocateBuffer(
            const android::hardware::neuralnetworks::V1_3::BufferDesc& desc,
            const Vec<android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel>>&
                    preparedModels,
            const BufferRoles& roles, std::uint32_t uid) const;

    const std::shared_ptr<DeviceRuntime> runtime_;
    const CompilerFunctions compiler_;
    const Digest cacheConfiguration_;
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <memory>
#include <optional>
#include <utility>

#include "driver/cache/cache_configuration.h"
#include "driver/cache/cached_model.h"
#include "driver/execution/compiler_functions.h"
#include "driver/execution/device_runtime.h"
#include "driver/hal/notify.h"
#include "driver/hal/npu_buffer.h"
#include "driver/hal/npu_prepared_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The HAL service. Preparation runs on the caller's thread, and its callback runs before the call
/// returns. Any host thread.
class NpuDevice : public hal13::IDevice {
    template <typename T>
    using Return = android::hardware::Return<T>;
    template <typename T>
    using Vec = android::hardware::hidl_vec<T>;
    template <typename T>
    using sp = android::sp<T>;
    using Handles = Vec<android::hardware::hidl_handle>;
    using CacheToken = android::hardware::hidl_array<uint8_t, 32>;
    using Model = hal13::Model;
    using ExecutionPreference = hal11::ExecutionPreference;
    using Priority = hal13::Priority;
    using OptionalTimePoint = hal13::OptionalTimePoint;

  public:
    NpuDevice(std::shared_ptr<DeviceRuntime> runtime, CompilerFunctions compiler)
        : runtime_(std::move(runtime)),
          compiler_(std::move(compiler)),
          cacheConfiguration_(
                  cacheConfiguration(runtime_->info(), runtime_->options().versionString)) {}

    DeviceRuntime& runtime() const { return *runtime_; }

    // 1.0
    Return<void> getCapabilities(getCapabilities_cb callback) override;
    Return<void> getSupportedOperations(const hal10::Model& model,
                                        getSupportedOperations_cb callback) override;
    Return<hal10::ErrorStatus> prepareModel(
            const hal10::Model& model, const sp<hal10::IPreparedModelCallback>& callback) override;
    Return<hal10::DeviceStatus> getStatus() override;
    // 1.1
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override;
    Return<void> getSupportedOperations_1_1(const hal11::Model& model,
                                            getSupportedOperations_1_1_cb callback) override;
    Return<hal10::ErrorStatus> prepareModel_1_1(
            const hal11::Model& model, ExecutionPreference preference,
            const sp<hal10::IPreparedModelCallback>& callback) override;
    // 1.2
    Return<void> getVersionString(getVersionString_cb callback) override;
    Return<void> getType(getType_cb callback) override;
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override;
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override;
    Return<void> getSupportedOperations_1_2(const hal12::Model& model,
                                            getSupportedOperations_1_2_cb callback) override;
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override;
    Return<hal10::ErrorStatus> prepareModel_1_2(
            const hal12::Model& model, ExecutionPreference preference, const Handles& modelCache,
            const Handles& dataCache, const CacheToken& token,
            const sp<hal12::IPreparedModelCallback>& callback) override;
    Return<hal10::ErrorStatus> prepareModelFromCache(
            const Handles& modelCache, const Handles& dataCache, const CacheToken& token,
            const sp<hal12::IPreparedModelCallback>& callback) override;
    // 1.3
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override;
    Return<void> getSupportedOperations_1_3(const Model& model,
                                            getSupportedOperations_1_3_cb callback) override;
    Return<ErrorStatus> prepareModel_1_3(
            const Model& model, ExecutionPreference preference, Priority priority,
            const OptionalTimePoint& deadline, const Handles& modelCache, const Handles& dataCache,
            const CacheToken& token, const sp<hal13::IPreparedModelCallback>& callback) override;
    Return<ErrorStatus> prepareModelFromCache_1_3(
            const OptionalTimePoint& deadline, const Handles& modelCache, const Handles& dataCache,
            const CacheToken& token, const sp<hal13::IPreparedModelCallback>& callback) override;
    Return<void> allocate(const hal13::BufferDesc& desc,
                          const Vec<sp<hal13::IPreparedModel>>& preparedModels,
                          const Vec<hal13::BufferRole>& inputRoles,
                          const Vec<hal13::BufferRole>& outputRoles, allocate_cb callback) override;

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
        OptionalTimePoint deadline{};
        const CacheArguments* cache = nullptr;  // null if the HAL version has none
        bool hasPriority = false;               // the caller gave a priority
    };

    /// The statuses of the call and of its callback; they differ if a valid model cannot be
    /// prepared.
    struct Prepared {
        ErrorStatus launchStatus = ErrorStatus::NONE;
        ErrorStatus status = ErrorStatus::NONE;
        sp<NpuPreparedModel> model;  // null on failure
    };

    /// Refuses a call without a callback; otherwise notifies it of what `prepare` returns.
    template <typename Callback, typename Prepare>
    ErrorStatus answer(const sp<Callback>& callback, const Wanted& wanted, const Prepare& prepare) {
        if (!requireCallback(callback, runtime_->environment(), wanted.call)) {
            return ErrorStatus::INVALID_ARGUMENT;
        }
        const Prepared prepared = prepare();
        notify(*callback, prepared.status, prepared.model);
        return prepared.launchStatus;
    }
    template <typename Callback, typename AnyModel>
    hal10::ErrorStatus prepareEarlier(const sp<Callback>& callback, const Wanted& wanted,
                                      const AnyModel& model);
    /// `model` is the valid model, or the reason why it is not valid.
    Prepared prepare(const Result<const Model*>& model, const Wanted& wanted);
    Prepared prepareFromCache(const Wanted& wanted);
    Prepared prepareValid(CallScope& call, const PreparedModel::Options& options,
                          const Model& model, std::optional<CompiledModel> compiled = {});
    /// Refuses a call whose arguments are invalid.
    static Prepared invalid(CallScope& call, const Error& error);
    PreparedModel::Options optionsFor(const CallScope& call, const Wanted& wanted,
                                      const ModelTerms& terms) const;
    Vec<bool> supportedOperations(const Model& model) const;
    template <typename AnyModel, typename Callback>
    Return<void> answerSupport(const char* name, const AnyModel& model, const Callback& callback);
    CacheKey keyOf(const CacheToken& token) const;
    /// Saves the prepared model if the call names cache files. A failure is logged and does not
    /// fail the preparation.
    void save(const Wanted& wanted, const PreparedModel& prepared) const;

    const std::shared_ptr<DeviceRuntime> runtime_;
    const CompilerFunctions compiler_;
    const Digest cacheConfiguration_;
};

}  // namespace vnpu::driver

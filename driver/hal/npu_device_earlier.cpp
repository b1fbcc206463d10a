// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/conversion.h>

#include "driver/execution/hal_status.h"
#include "driver/hal/capabilities.h"
#include "driver/hal/hal_conversion.h"
#include "driver/hal/npu_device.h"

// The methods of HAL 1.0 to 1.2, by conversion to 1.3. Their models have medium priority.

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::Return;
using android::hardware::Void;

template <typename AnyModel>
NpuDevice::Prepared NpuDevice::prepareEarlier(const AnyModel& model, ExecutionPreference preference,
                                              const char* call, const CacheArguments* cache) {
    const Result<Model> borrowed = borrowModel(model);
    const Result<const Model*> argument =
            borrowed ? Result<const Model*>(&*borrowed) : tl::unexpected(borrowed.error());
    return prepare(argument, {call, preference, nn::V1_3::Priority::MEDIUM, {}, cache, false});
}

template <typename AnyModel>
Result<NpuDevice::Vec<bool>> NpuDevice::supportedOperationsEarlier(const AnyModel& model) {
    const Result<Model> borrowed = borrowModel(model);
    return borrowed ? supportedOperations(*borrowed) : tl::unexpected(borrowed.error());
}

Return<void> NpuDevice::getCapabilities(getCapabilities_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, hal::convertTo<nn::V1_0::Capabilities>(capabilities()));
    return Void();
}

Return<void> NpuDevice::getCapabilities_1_1(getCapabilities_1_1_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, hal::convertTo<nn::V1_1::Capabilities>(capabilities()));
    return Void();
}

Return<void> NpuDevice::getCapabilities_1_2(getCapabilities_1_2_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, hal::convertTo<nn::V1_2::Capabilities>(capabilities()));
    return Void();
}

Return<void> NpuDevice::getSupportedOperations(const nn::V1_0::Model& model,
                                               getSupportedOperations_cb callback) {
    CallScope call(runtime_->environment(), "getSupportedOperations");
    const auto supported = supportedOperationsEarlier(model);
    const ErrorStatus status = supported ? ErrorStatus::NONE : call.refuse(supported.error());
    call.end(status);
    callback(toHal10Status(status), supported ? *supported : Vec<bool>{});
    return Void();
}

Return<void> NpuDevice::getSupportedOperations_1_1(const nn::V1_1::Model& model,
                                                   getSupportedOperations_1_1_cb callback) {
    CallScope call(runtime_->environment(), "getSupportedOperations_1_1");
    const auto supported = supportedOperationsEarlier(model);
    const ErrorStatus status = supported ? ErrorStatus::NONE : call.refuse(supported.error());
    call.end(status);
    callback(toHal10Status(status), supported ? *supported : Vec<bool>{});
    return Void();
}

Return<void> NpuDevice::getSupportedOperations_1_2(const nn::V1_2::Model& model,
                                                   getSupportedOperations_1_2_cb callback) {
    CallScope call(runtime_->environment(), "getSupportedOperations_1_2");
    const auto supported = supportedOperationsEarlier(model);
    const ErrorStatus status = supported ? ErrorStatus::NONE : call.refuse(supported.error());
    call.end(status);
    callback(toHal10Status(status), supported ? *supported : Vec<bool>{});
    return Void();
}

Return<nn::V1_0::ErrorStatus> NpuDevice::prepareModel(const nn::V1_0::Model& model,
                                                      const Hal10Callback& callback) {
    if (callback == nullptr) {
        return toHal10Status(CallScope(runtime_->environment(), "prepareModel")
                                     .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"}));
    }
    const Prepared prepared =
            prepareEarlier(model, ExecutionPreference::FAST_SINGLE_ANSWER, "prepareModel");
    static_cast<void>(callback->notify(toHal10Status(prepared.status), prepared.model).isOk());
    return toHal10Status(prepared.launchStatus);
}

Return<nn::V1_0::ErrorStatus> NpuDevice::prepareModel_1_1(const nn::V1_1::Model& model,
                                                          ExecutionPreference preference,
                                                          const Hal10Callback& callback) {
    if (callback == nullptr) {
        return toHal10Status(CallScope(runtime_->environment(), "prepareModel_1_1")
                                     .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"}));
    }
    const Prepared prepared = prepareEarlier(model, preference, "prepareModel_1_1");
    static_cast<void>(callback->notify(toHal10Status(prepared.status), prepared.model).isOk());
    return toHal10Status(prepared.launchStatus);
}

Return<nn::V1_0::ErrorStatus> NpuDevice::prepareModel_1_2(
        const nn::V1_2::Model& model, ExecutionPreference preference, const Handles& modelCache,
        const Handles& dataCache, const CacheToken& token, const Hal12Callback& callback) {
    if (callback == nullptr) {
        return toHal10Status(CallScope(runtime_->environment(), "prepareModel_1_2")
                                     .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"}));
    }
    const CacheArguments cache{modelCache, dataCache, token};
    const Prepared prepared = prepareEarlier(model, preference, "prepareModel_1_2", &cache);
    static_cast<void>(callback->notify_1_2(toHal10Status(prepared.status), prepared.model).isOk());
    return toHal10Status(prepared.launchStatus);
}

}  // namespace vnpu::driver

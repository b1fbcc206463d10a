// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/conversion.h>

#include "driver/hal/capabilities.h"
#include "driver/hal/hal_conversion.h"
#include "driver/hal/npu_device.h"

// The methods of HAL 1.0 to 1.2, by conversion to 1.3. Their models have medium priority.

namespace vnpu::driver {

using android::hardware::Return;
using android::hardware::Void;

template <typename Callback, typename AnyModel>
hal10::ErrorStatus NpuDevice::prepareEarlier(const android::sp<Callback>& callback,
                                             const Wanted& wanted, const AnyModel& model) {
    return toHal10Status(answer(callback, wanted, [&] {
        const Result<Model> borrowed = borrowModel(model);
        return prepare(borrowed.map([](const Model& valid) { return &valid; }), wanted);
    }));
}

template <typename AnyModel, typename Callback>
Return<void> NpuDevice::answerSupport(const char* name, const AnyModel& model,
                                      const Callback& callback) {
    CallScope call(runtime_->environment(), name);
    const auto supported = borrowModel(model).map(
            [this](const Model& valid) { return supportedOperations(valid); });
    callback(toHal10Status(call.finish(supported)), supported.value_or(Vec<bool>{}));
    return Void();
}

Return<void> NpuDevice::getCapabilities(getCapabilities_cb callback) {
    callback(hal10::ErrorStatus::NONE, hal::convertTo<hal10::Capabilities>(capabilities()));
    return Void();
}

Return<void> NpuDevice::getCapabilities_1_1(getCapabilities_1_1_cb callback) {
    callback(hal10::ErrorStatus::NONE, hal::convertTo<hal11::Capabilities>(capabilities()));
    return Void();
}

Return<void> NpuDevice::getCapabilities_1_2(getCapabilities_1_2_cb callback) {
    callback(hal10::ErrorStatus::NONE, hal::convertTo<hal12::Capabilities>(capabilities()));
    return Void();
}

Return<void> NpuDevice::getSupportedOperations(const hal10::Model& model,
                                               getSupportedOperations_cb callback) {
    return answerSupport("getSupportedOperations", model, callback);
}

Return<void> NpuDevice::getSupportedOperations_1_1(const hal11::Model& model,
                                                   getSupportedOperations_1_1_cb callback) {
    return answerSupport("getSupportedOperations_1_1", model, callback);
}

Return<void> NpuDevice::getSupportedOperations_1_2(const hal12::Model& model,
                                                   getSupportedOperations_1_2_cb callback) {
    return answerSupport("getSupportedOperations_1_2", model, callback);
}

Return<hal10::ErrorStatus> NpuDevice::prepareModel(
        const hal10::Model& model, const android::sp<hal10::IPreparedModelCallback>& callback) {
    return prepareEarlier(callback, {.call = "prepareModel"}, model);
}

Return<hal10::ErrorStatus> NpuDevice::prepareModel_1_1(
        const hal11::Model& model, ExecutionPreference preference,
        const android::sp<hal10::IPreparedModelCallback>& callback) {
    return prepareEarlier(callback, {.call = "prepareModel_1_1", .preference = preference}, model);
}

Return<hal10::ErrorStatus> NpuDevice::prepareModel_1_2(
        const hal12::Model& model, ExecutionPreference preference, const Handles& modelCache,
        const Handles& dataCache, const CacheToken& token,
        const android::sp<hal12::IPreparedModelCallback>& callback) {
    const CacheArguments cache{modelCache, dataCache, token};
    return prepareEarlier(callback,
                          {.call = "prepareModel_1_2", .preference = preference, .cache = &cache},
                          model);
}

}  // namespace vnpu::driver

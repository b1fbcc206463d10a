// SPDX-License-Identifier: Apache-2.0
#include "tests/hal/compatibility/sample_driver.h"

#include <algorithm>
#include <numeric>

namespace compatibility {

namespace {

constexpr V1_0::PerformanceInfo kPerf = {.execTime = 0.5F, .powerUsage = 0.5F};

/// Every operand type of a version except SUBGRAPH, sorted by type.
template <typename OperandPerformance>
hidl_vec<OperandPerformance> operandPerformance() {
    using OperandType = decltype(OperandPerformance::type);
    static constexpr hidl_enum_range<OperandType> kTypes{};
    hidl_vec<OperandPerformance> all(static_cast<size_t>(kTypes.end() - kTypes.begin()));
    std::transform(kTypes.begin(), kTypes.end(), all.begin(), [](OperandType type) {
        return OperandPerformance{type, kPerf};
    });
    std::sort(all.begin(), all.end(), [](const OperandPerformance& a, const OperandPerformance& b) {
        return a.type < b.type;
    });
    const auto isSubgraph = [](const OperandPerformance& entry) {
        return static_cast<V1_3::OperandType>(entry.type) == V1_3::OperandType::SUBGRAPH;
    };
    all.resize(
            static_cast<size_t>(std::remove_if(all.begin(), all.end(), isSubgraph) - all.begin()));
    return all;
}

V1_2::OutputShape shapeOf(const V1_3::Operand& operand) {
    return {.dimensions = operand.dimensions, .isSufficient = true};
}

}  // namespace

std::vector<V1_2::OutputShape> PreparedModel::outputShapes() const {
    std::vector<V1_2::OutputShape> shapes;
    shapes.reserve(mModel.main.outputIndexes.size());
    for (uint32_t i : mModel.main.outputIndexes) {
        shapes.push_back(shapeOf(mModel.main.operands[i]));
    }
    return shapes;
}

Return<V1_0::ErrorStatus> PreparedModel::execute(const V1_0::Request&,
                                                 const sp<V1_0::IExecutionCallback>& callback) {
    const Return<void> returned = callback->notify(V1_0::ErrorStatus::NONE);
    if (!returned.isOk()) {
        return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    return V1_0::ErrorStatus::NONE;
}

Return<V1_0::ErrorStatus> PreparedModel::execute_1_2(const V1_0::Request&, V1_2::MeasureTiming,
                                                     const sp<V1_2::IExecutionCallback>& callback) {
    callback->notify_1_2(V1_0::ErrorStatus::NONE, outputShapes(), kNoTiming);
    return V1_0::ErrorStatus::NONE;
}

Return<V1_3::ErrorStatus> PreparedModel::execute_1_3(const V1_3::Request&, V1_2::MeasureTiming,
                                                     const V1_3::OptionalTimePoint& deadline,
                                                     const V1_3::OptionalTimeoutDuration&,
                                                     const sp<V1_3::IExecutionCallback>& callback) {
    using Discriminator = V1_3::OptionalTimePoint::hidl_discriminator;
    if (deadline.getDiscriminator() == Discriminator::nanosecondsSinceEpoch) {
        callback->notify_1_3(V1_3::ErrorStatus::MISSED_DEADLINE_PERSISTENT, {}, kNoTiming);
        return V1_3::ErrorStatus::NONE;
    }
    callback->notify_1_3(V1_3::ErrorStatus::NONE, outputShapes(), kNoTiming);
    return V1_3::ErrorStatus::NONE;
}

Return<void> PreparedModel::executeSynchronously(const V1_0::Request&, V1_2::MeasureTiming,
                                                 executeSynchronously_cb cb) {
    cb(V1_0::ErrorStatus::NONE, outputShapes(), kNoTiming);
    return Void();
}

Return<void> PreparedModel::executeSynchronously_1_3(const V1_3::Request& request,
                                                     V1_2::MeasureTiming,
                                                     const V1_3::OptionalTimePoint&,
                                                     const V1_3::OptionalTimeoutDuration&,
                                                     executeSynchronously_1_3_cb cb) {
    if (request.outputs.size() != mModel.main.outputIndexes.size()) {
        cb(V1_3::ErrorStatus::INVALID_ARGUMENT, hidl_vec<V1_2::OutputShape>(0), kNoTiming);
        return Void();
    }
    cb(V1_3::ErrorStatus::NONE, outputShapes(), {.timeOnDevice = 1, .timeInDriver = 2});
    return Void();
}

Return<void> PreparedModel::configureExecutionBurst(
        const sp<V1_2::IBurstCallback>& callback,
        const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
        configureExecutionBurst_cb cb) {
    if (callback == nullptr || !requestChannel.isHandleValid() || !resultChannel.isHandleValid()) {
        cb(V1_0::ErrorStatus::INVALID_ARGUMENT, nullptr);
    } else {
        cb(V1_0::ErrorStatus::NONE, new BurstContext());
    }
    return Void();
}

Return<void> PreparedModel::executeFenced(const V1_3::Request&,
                                          const hidl_vec<hidl_handle>& waitFor, V1_2::MeasureTiming,
                                          const V1_3::OptionalTimePoint&,
                                          const V1_3::OptionalTimeoutDuration&,
                                          const V1_3::OptionalTimeoutDuration&,
                                          executeFenced_cb cb) {
    for (const auto& fenceHandle : waitFor) {
        if (!fenceHandle.getNativeHandle()) {
            cb(V1_3::ErrorStatus::INVALID_ARGUMENT, hidl_handle(nullptr), nullptr);
            return Void();
        }
    }
    sp<FencedCallback> callback = new FencedCallback(kNoTiming, kNoTiming, V1_3::ErrorStatus::NONE);
    cb(V1_3::ErrorStatus::NONE, hidl_handle(nullptr), callback);
    return Void();
}

Return<void> Driver::getCapabilities(getCapabilities_cb cb) {
    cb(V1_0::ErrorStatus::NONE, {.float32Performance = kPerf, .quantized8Performance = kPerf});
    return Void();
}

Return<void> Driver::getCapabilities_1_1(getCapabilities_1_1_cb cb) {
    cb(V1_0::ErrorStatus::NONE, {kPerf, kPerf, kPerf});
    return Void();
}

Return<void> Driver::getCapabilities_1_2(getCapabilities_1_2_cb cb) {
    V1_2::Capabilities capabilities = {
            .relaxedFloat32toFloat16PerformanceScalar = kPerf,
            .relaxedFloat32toFloat16PerformanceTensor = kPerf,
            .operandPerformance = operandPerformance<V1_2::Capabilities::OperandPerformance>()};
    cb(V1_0::ErrorStatus::NONE, capabilities);
    return Void();
}

Return<void> Driver::getCapabilities_1_3(getCapabilities_1_3_cb cb) {
    cb(V1_3::ErrorStatus::NONE,
       {.relaxedFloat32toFloat16PerformanceScalar = kPerf,
        .relaxedFloat32toFloat16PerformanceTensor = kPerf,
        .operandPerformance = operandPerformance<V1_3::Capabilities::OperandPerformance>(),
        .ifPerformance = kPerf,
        .whilePerformance = kPerf});
    return Void();
}

Return<void> Driver::getVersionString(getVersionString_cb cb) {
    cb(V1_0::ErrorStatus::NONE, mName + " 1");
    return Void();
}

Return<void> Driver::getType(getType_cb cb) {
    cb(V1_0::ErrorStatus::NONE, V1_2::DeviceType::ACCELERATOR);
    return Void();
}

Return<void> Driver::getSupportedExtensions(getSupportedExtensions_cb cb) {
    cb(V1_0::ErrorStatus::NONE,
       {{
               .name = "com.example.half",
               .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 2}},
       }});
    return Void();
}

Return<void> Driver::getSupportedOperations(const V1_0::Model& model,
                                            getSupportedOperations_cb cb) {
    cb(V1_0::ErrorStatus::NONE, hidl_vec<bool>(model.operations.size()));
    return Void();
}

Return<void> Driver::getSupportedOperations_1_1(const V1_1::Model& model,
                                                getSupportedOperations_1_1_cb cb) {
    cb(V1_0::ErrorStatus::NONE, std::vector<bool>(model.operations.size(), true));
    return Void();
}

Return<void> Driver::getSupportedOperations_1_2(const V1_2::Model& model,
                                                getSupportedOperations_1_2_cb cb) {
    hidl_vec<bool> supported(model.operations.size());
    std::fill(supported.begin(), supported.end(), true);
    cb(V1_0::ErrorStatus::NONE, supported);
    return Void();
}

Return<void> Driver::getSupportedOperations_1_3(const V1_3::Model& model,
                                                getSupportedOperations_1_3_cb cb) {
    if (model.main.operations.size() == 0) {
        std::vector<bool> supported;
        cb(V1_3::ErrorStatus::INVALID_ARGUMENT, supported);
        return Void();
    }
    std::vector<bool> supported(model.main.operations.size(), true);
    cb(V1_3::ErrorStatus::NONE, supported);
    return Void();
}

Return<void> Driver::getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb cb) {
    cb(V1_0::ErrorStatus::NONE, /*numModelCache=*/0, /*numDataCache=*/0);
    return Void();
}

Return<V1_0::ErrorStatus> Driver::prepareModel(const V1_0::Model&,
                                               const sp<V1_0::IPreparedModelCallback>& callback) {
    callback->notify(V1_0::ErrorStatus::NONE, new PreparedModel({}));
    return V1_0::ErrorStatus::NONE;
}

Return<V1_0::ErrorStatus> Driver::prepareModel_1_1(
        const V1_1::Model&, V1_1::ExecutionPreference,
        const sp<V1_0::IPreparedModelCallback>& callback) {
    callback->notify(V1_0::ErrorStatus::NONE, new PreparedModel({}));
    return V1_0::ErrorStatus::NONE;
}

Return<V1_0::ErrorStatus> Driver::prepareModel_1_2(
        const V1_2::Model&, V1_1::ExecutionPreference, const hidl_vec<hidl_handle>&,
        const hidl_vec<hidl_handle>&, const CacheToken&,
        const sp<V1_2::IPreparedModelCallback>& callback) {
    callback->notify_1_2(V1_0::ErrorStatus::NONE, new PreparedModel({}));
    return V1_0::ErrorStatus::NONE;
}

Return<V1_3::ErrorStatus> Driver::prepareModel_1_3(
        const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
        const V1_3::OptionalTimePoint&, const hidl_vec<hidl_handle>&, const hidl_vec<hidl_handle>&,
        const CacheToken&, const sp<V1_3::IPreparedModelCallback>& callback) {
    mLastCaller = hardware::IPCThreadState::self()->getCallingUid();
    const hidl_enum_range<V1_1::ExecutionPreference> preferences;
    const hidl_enum_range<V1_3::Priority> priorities;
    if (std::find(preferences.begin(), preferences.end(), preference) == preferences.end() ||
        std::find(priorities.begin(), priorities.end(), priority) == priorities.end()) {
        callback->notify_1_3(V1_3::ErrorStatus::INVALID_ARGUMENT, nullptr);
        return V1_3::ErrorStatus::INVALID_ARGUMENT;
    }
    sp<PreparedModel> preparedModel = new PreparedModel(model);
    callback->notify_1_3(V1_3::ErrorStatus::NONE, preparedModel);
    return V1_3::ErrorStatus::NONE;
}

Return<V1_0::ErrorStatus> Driver::prepareModelFromCache(
        const hidl_vec<hidl_handle>&, const hidl_vec<hidl_handle>&, const CacheToken&,
        const sp<V1_2::IPreparedModelCallback>& callback) {
    callback->notify_1_2(V1_0::ErrorStatus::GENERAL_FAILURE, nullptr);
    return V1_0::ErrorStatus::GENERAL_FAILURE;
}

Return<V1_3::ErrorStatus> Driver::prepareModelFromCache_1_3(
        const V1_3::OptionalTimePoint&, const hidl_vec<hidl_handle>&, const hidl_vec<hidl_handle>&,
        const CacheToken&, const sp<V1_3::IPreparedModelCallback>& callback) {
    callback->notify_1_3(V1_3::ErrorStatus::GENERAL_FAILURE, nullptr);
    return V1_3::ErrorStatus::GENERAL_FAILURE;
}

Return<void> Driver::allocate(const V1_3::BufferDesc& desc,
                              const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                              const hidl_vec<V1_3::BufferRole>& inputRoles,
                              const hidl_vec<V1_3::BufferRole>& outputRoles, allocate_cb cb) {
    const auto isOwn = [](const sp<V1_3::IPreparedModel>& model) {
        return dynamic_cast<PreparedModel*>(model.get()) != nullptr;
    };
    if (desc.dimensions.size() != 0 || inputRoles.size() + outputRoles.size() == 0 ||
        !std::all_of(preparedModels.begin(), preparedModels.end(), isOwn)) {
        cb(V1_3::ErrorStatus::INVALID_ARGUMENT, nullptr, 0);
        return Void();
    }
    cb(V1_3::ErrorStatus::NONE, new Buffer, /*token=*/1);
    return Void();
}

}  // namespace compatibility

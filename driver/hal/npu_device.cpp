// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/npu_device.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "driver/api/device.h"
#include "driver/hal/capabilities.h"
#include "driver/memory/pool_mapping.h"
#include "driver/validation/model_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;

namespace {

/// By pool, the reason why it cannot hold constants; empty if it can (MP-5).
std::vector<std::string> poolFailures(const nn::V1_3::Model& model) {
    std::vector<std::string> failures;
    for (const auto& memory : model.pools) {
        const auto pool = mapIntoProcess(memory, PoolMapping::Use::kConstants);
        failures.push_back(pool ? "" : pool.error().reason);
    }
    return failures;
}

/// The reason why an operation's constants cannot be reached; empty if they can.
std::string unreachableConstant(const nn::V1_3::Operation& operation, const nn::V1_3::Model& model,
                                const std::vector<std::string>& failures) {
    for (const std::uint32_t index : operation.inputs) {
        const nn::V1_3::Operand& operand = model.main.operands[index];
        if (operand.lifetime == nn::V1_3::OperandLifeTime::CONSTANT_REFERENCE &&
            !failures[operand.location.poolIndex].empty()) {
            return fmt::format("model pool {}: {}", operand.location.poolIndex,
                               failures[operand.location.poolIndex]);
        }
    }
    return {};
}

/// The prepared models of a call; INVALID_ARGUMENT for one of another device or another caller.
Result<std::vector<RoleModel>> roleModelsOf(const hidl_vec<sp<nn::V1_3::IPreparedModel>>& models,
                                            const DeviceRuntime& runtime, std::uint32_t uid) {
    std::vector<RoleModel> roleModels;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i] == nullptr) {
            return invalidArgument(fmt::format("prepared model {} is null", i));
        }
        const auto* own = dynamic_cast<const NpuPreparedModel*>(models[i].get());
        if (own == nullptr || &own->runtime() != &runtime) {
            return invalidArgument(fmt::format("prepared model {} is not of this device", i));
        }
        if (own->context().uid() != uid) {
            return invalidArgument(fmt::format("prepared model {} is not the caller's", i));
        }
        roleModels.push_back(own->roleModel());
    }
    return roleModels;
}

}  // namespace

Return<void> NpuDevice::getCapabilities_1_3(getCapabilities_1_3_cb callback) {
    callback(ErrorStatus::NONE, capabilities());
    return Void();
}

Return<void> NpuDevice::getVersionString(getVersionString_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, runtime_->options().versionString);
    return Void();
}

Return<void> NpuDevice::getType(getType_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, nn::V1_2::DeviceType::ACCELERATOR);
    return Void();
}

Return<void> NpuDevice::getSupportedExtensions(getSupportedExtensions_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, {});
    return Void();
}

Return<nn::V1_0::DeviceStatus> NpuDevice::getStatus() {
    if (runtime_->recovery().isGivenUp()) {
        return nn::V1_0::DeviceStatus::OFFLINE;
    }
    return runtime_->environment().jobs.inFlight() > 0 || runtime_->recovery().isRecovering()
                   ? nn::V1_0::DeviceStatus::BUSY
                   : nn::V1_0::DeviceStatus::AVAILABLE;
}

NpuDevice::Vec<bool> NpuDevice::supportedOperations(const Model& model) const {
    std::vector<std::string> reasons = compiler_.findUnsupported(model);
    const std::vector<std::string> failures = poolFailures(model);
    Vec<bool> supported(model.main.operations.size());
    for (std::size_t i = 0; i < supported.size() && i < reasons.size(); ++i) {
        if (reasons[i].empty()) {
            reasons[i] = unreachableConstant(model.main.operations[i], model, failures);
        }
        supported[i] = reasons[i].empty();
        if (!supported[i]) {
            runtime_->log().line(fmt::format("operation {} ({}) is not supported: {}", i,
                                             toString(model.main.operations[i].type), reasons[i]));
        }
    }
    return supported;
}

Return<void> NpuDevice::getSupportedOperations_1_3(const Model& model,
                                                   getSupportedOperations_1_3_cb callback) {
    CallScope call(runtime_->environment(), "getSupportedOperations_1_3");
    const auto supported = validateModel(model).map([&] { return supportedOperations(model); });
    callback(call.finish(supported), supported.value_or(Vec<bool>{}));
    return Void();
}

NpuDevice::Prepared NpuDevice::prepare(const Result<const Model*>& model, const Wanted& wanted) {
    CallScope call(runtime_->environment(), wanted.call);
    const ModelTerms terms{
            .priority = wanted.priority,
            .checkpointCycles =
                    wanted.hasPriority ? runtime_->options().scheduling.checkpointCycles : 0,
            .preference = wanted.preference};
    const Result<void> valid = model ? checkTerms(terms) : tl::unexpected(model.error());
    if (!valid) {
        return invalid(call, valid.error());
    }
    Prepared prepared = prepareValid(call, optionsFor(call, wanted, terms), **model);
    if (prepared.model != nullptr) {
        save(wanted, *prepared.model);
    }
    return prepared;
}

NpuDevice::Prepared NpuDevice::invalid(CallScope& call, const Error& error) {
    const ErrorStatus status = call.refuse(error);
    return {.launchStatus = status, .status = status, .model = nullptr};
}

PreparedModel::Options NpuDevice::optionsFor(const CallScope& call, const Wanted& wanted,
                                             const ModelTerms& terms) const {
    return {.runtime = runtime_,
            .compiler = compiler_,
            .uid = call.uid(),
            .terms = terms,
            .deadline = HostDeadline(wanted.deadline, runtime_->environment())};
}

NpuDevice::Prepared NpuDevice::prepareValid(CallScope& call, const PreparedModel::Options& options,
                                            const Model& model,
                                            std::optional<CompiledModel> compiled) {
    auto prepared = PreparedModel::create<NpuPreparedModel>(options, model, std::move(compiled));
    if (!prepared) {
        return {.status = call.refuse(prepared.error()), .model = nullptr};
    }
    return {.model = std::move(*prepared)};
}

Return<ErrorStatus> NpuDevice::prepareModel_1_3(const Model& model, ExecutionPreference preference,
                                                Priority priority,
                                                const OptionalTimePoint& deadline,
                                                const Handles& modelCache, const Handles& dataCache,
                                                const CacheToken& token,
                                                const sp<hal13::IPreparedModelCallback>& callback) {
    const CacheArguments cache{modelCache, dataCache, token};
    const Wanted wanted{"prepareModel_1_3", preference, priority, deadline, &cache, true};
    return answer(callback, wanted, [&] {
        return prepare(validateModel(model).map([&] { return &model; }), wanted);
    });
}

Return<void> NpuDevice::allocate(const nn::V1_3::BufferDesc& desc,
                                 const Vec<sp<nn::V1_3::IPreparedModel>>& preparedModels,
                                 const Vec<nn::V1_3::BufferRole>& inputRoles,
                                 const Vec<nn::V1_3::BufferRole>& outputRoles,
                                 allocate_cb callback) {
    CallScope call(runtime_->environment(), "allocate");
    const auto allocated = [&]() -> Result<sp<NpuBuffer>> {
        VNPU_TRY(runtime_->requireDevice());
        VNPU_TRY_ASSIGN(const auto models, roleModelsOf(preparedModels, *runtime_, call.uid()));
        VNPU_TRY_ASSIGN(auto plan, planBuffer({.description = desc,
                                               .models = models,
                                               .inputRoles = inputRoles,
                                               .outputRoles = outputRoles}));
        VNPU_TRY_ASSIGN(auto buffer,
                        DeviceBuffer::create({.environment = {runtime_, &runtime_->environment()},
                                              .onChip = runtime_->onChip()},
                                             std::move(plan)));
        return NpuBuffer::create(runtime_, std::move(buffer));
    }();
    const ErrorStatus status = call.finish(allocated);
    callback(status, allocated ? *allocated : nullptr, allocated ? (*allocated)->token() : 0);
    return Void();
}

Result<sp<nn::V1_3::IDevice>> createDevice(DevicePort& port, const DriverOptions& options) {
    return createDevice(port, options, CompilerFunctions{});
}

Result<sp<nn::V1_3::IDevice>> createDevice(DevicePort& port, const DriverOptions& options,
                                           const CompilerFunctions& compiler) {
    VNPU_TRY_ASSIGN(auto runtime, DeviceRuntime::create(port, options));
    return sp<nn::V1_3::IDevice>(new NpuDevice(std::move(runtime), compiler));
}

Result<void> reschedule(const sp<nn::V1_3::IDevice>& device, const SchedulingOptions& options) {
    auto* own = dynamic_cast<NpuDevice*>(device.get());
    return own == nullptr
                   ? fail(ErrorStatus::GENERAL_FAILURE, "the device is not one of this driver")
                   : own->runtime().reschedule(options);
}

DriverCounters countersOf(const sp<nn::V1_3::IDevice>& device) {
    const auto* own = dynamic_cast<const NpuDevice*>(device.get());
    return own == nullptr ? DriverCounters{} : own->runtime().counters().snapshot();
}

std::map<std::uint32_t, std::chrono::nanoseconds> deviceTimesOf(
        const sp<nn::V1_3::IDevice>& device) {
    const auto* own = dynamic_cast<const NpuDevice*>(device.get());
    return own == nullptr ? DeviceTimes::Times{} : own->runtime().deviceTimes();
}

DriverActivity activityOf(const sp<nn::V1_3::IDevice>& device) {
    const auto* own = dynamic_cast<const NpuDevice*>(device.get());
    return own == nullptr ? DriverActivity{} : own->runtime().activity();
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "driver/hal/npu_buffer.h"
#include "driver/hal/npu_device.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;

namespace {

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

}  // namespace vnpu::driver

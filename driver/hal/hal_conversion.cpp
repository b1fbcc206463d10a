// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/hal_conversion.h"

#include <vnpu/hal/conversion.h>

#include "driver/validation/model_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

template <typename Model>
constexpr HalVersion kVersion = HalVersion::k12;
template <>
constexpr HalVersion kVersion<nn::V1_0::Model> = HalVersion::k10;
template <>
constexpr HalVersion kVersion<nn::V1_1::Model> = HalVersion::k11;

}  // namespace

template <typename Model>
Result<nn::V1_3::Model> borrowModel(const Model& model) {
    auto latest = hal::convertTo<nn::V1_3::Model>(model, hal::Handles::kBorrow);
    if (const auto compliance = hal::checkCompliance(latest, kVersion<Model>); !compliance) {
        return invalidArgument(*compliance.reason);
    }
    VNPU_TRY(validateModel(latest, kVersion<Model>));
    return latest;
}
template Result<nn::V1_3::Model> borrowModel(const nn::V1_0::Model& model);
template Result<nn::V1_3::Model> borrowModel(const nn::V1_1::Model& model);
template Result<nn::V1_3::Model> borrowModel(const nn::V1_2::Model& model);

nn::V1_3::Request borrowRequest(const nn::V1_0::Request& request) {
    return hal::convertTo<nn::V1_3::Request>(request, hal::Handles::kBorrow);
}

}  // namespace vnpu::driver

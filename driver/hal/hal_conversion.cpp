// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/hal_conversion.h"

#include <vnpu/hal/conversion.h>

#include "driver/validation/model_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

template <typename Earlier>
Result<nn::V1_3::Model> borrow(const Earlier& model, HalVersion version) {
    auto latest = hal::convertTo<nn::V1_3::Model>(model, hal::Handles::kBorrow);
    if (const auto compliance = hal::checkCompliance(latest, version); !compliance) {
        return invalidArgument(*compliance.reason);
    }
    VNPU_TRY(validateModel(latest, version));
    return latest;
}

}  // namespace

nn::V1_3::Request borrowRequest(const nn::V1_0::Request& request) {
    return hal::convertTo<nn::V1_3::Request>(request, hal::Handles::kBorrow);
}

Result<nn::V1_3::Model> borrowModel(const nn::V1_0::Model& model) {
    return borrow(model, HalVersion::k10);
}

Result<nn::V1_3::Model> borrowModel(const nn::V1_1::Model& model) {
    return borrow(model, HalVersion::k11);
}

Result<nn::V1_3::Model> borrowModel(const nn::V1_2::Model& model) {
    return borrow(model, HalVersion::k12);
}

}  // namespace vnpu::driver

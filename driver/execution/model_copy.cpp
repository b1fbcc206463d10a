// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/model_copy.h"

namespace vnpu::driver {

using android::hardware::hidl_memory;
using android::hardware::neuralnetworks::V1_3::Model;

Model copyModel(const Model& model) {
    Model copy;
    copy.main = model.main;
    copy.referenced = model.referenced;
    copy.operandValues = model.operandValues;
    copy.pools.resize(model.pools.size());
    for (std::size_t i = 0; i < model.pools.size(); ++i) {
        // Copying a handle duplicates its descriptors and ends the process if the client's are not
        // open.
        copy.pools[i] = hidl_memory(model.pools[i].name(), nullptr, model.pools[i].size());
    }
    copy.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    copy.extensionNameToPrefix = model.extensionNameToPrefix;
    return copy;
}

}  // namespace vnpu::driver

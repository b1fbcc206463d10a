// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/c_interface/lists.h"

#include <algorithm>
#include <span>

#include "sim/ndk/c_interface/handles.h"

namespace vnpu::sim::ndk {

Result<std::vector<std::shared_ptr<Device>>> devicesFrom(
        const ANeuralNetworksDevice* const* devices, std::uint32_t count) {
    if (count == 0) {
        return badData("list of devices is empty");
    }
    std::vector<std::shared_ptr<Device>> chosen;
    for (const ANeuralNetworksDevice* device : std::span(devices, count)) {
        if (device == nullptr) {
            return failed(ANEURALNETWORKS_UNEXPECTED_NULL, "device {} is null", chosen.size());
        }
        if (std::find(chosen.begin(), chosen.end(), objectOf(device)) != chosen.end()) {
            return badData("device {} is listed twice", objectOf(device)->name());
        }
        chosen.push_back(objectOf(device));
    }
    return chosen;
}

Result<void> checkType(const ANeuralNetworksOperandType* type) {
    if (type != nullptr && type->dimensionCount != 0 && type->dimensions == nullptr) {
        return failed(ANEURALNETWORKS_UNEXPECTED_NULL, "{} dimensions at null",
                      type->dimensionCount);
    }
    return {};
}

}  // namespace vnpu::sim::ndk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hidl/base/1.0/IBase.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

// The interfaces that calls between processes can reach, by number. A change of an existing number
// raises `version` in wire.capnp.

namespace vnpu::hal::rpc {

namespace v10 = android::hardware::neuralnetworks::V1_0;
namespace v11 = android::hardware::neuralnetworks::V1_1;
namespace v12 = android::hardware::neuralnetworks::V1_2;
namespace v13 = android::hardware::neuralnetworks::V1_3;
namespace base = android::hidl::base::V1_0;

/// All interfaces; the number of an interface is its position.
using Interfaces = std::tuple<base::IBase, v10::IDevice, v11::IDevice, v12::IDevice, v13::IDevice,
                              v10::IPreparedModel, v12::IPreparedModel, v13::IPreparedModel,
                              v10::IPreparedModelCallback, v12::IPreparedModelCallback,
                              v13::IPreparedModelCallback, v10::IExecutionCallback,
                              v12::IExecutionCallback, v13::IExecutionCallback, v12::IBurstCallback,
                              v12::IBurstContext, v13::IBuffer, v13::IFencedExecutionCallback>;

inline constexpr size_t kInterfaceCount = std::tuple_size_v<Interfaces>;

template <typename I, size_t kIndex = 0>
constexpr uint16_t numberOf() {
    if constexpr (std::is_same_v<I, std::tuple_element_t<kIndex, Interfaces>>) {
        return kIndex;
    } else {
        return numberOf<I, kIndex + 1>();
    }
}

/// The number of the most derived listed interface of the object. Calls the object's
/// interfaceChain; returns IBase's number if that fails or names no listed interface.
uint16_t interfaceOf(base::IBase& object);

}  // namespace vnpu::hal::rpc

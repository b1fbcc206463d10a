// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hidl/base/1.0/IBase.h>

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "hal/rpc/methods.h"

// The interfaces and their methods by number. Whatever changes an existing number raises `version`
// in wire.capnp.

namespace vnpu::hal::rpc {

namespace v10 = android::hardware::neuralnetworks::V1_0;
namespace v11 = android::hardware::neuralnetworks::V1_1;
namespace v12 = android::hardware::neuralnetworks::V1_2;
namespace v13 = android::hardware::neuralnetworks::V1_3;
namespace base = android::hidl::base::V1_0;

template <typename I>
struct MethodsOfInterface;
template <typename I>
using MethodsOf = typename MethodsOfInterface<I>::List;

// Chains and death are the proxies' own business.
template <>
struct MethodsOfInterface<base::IBase> {
    using List = MethodList<Method<&base::IBase::debug>, Method<&base::IBase::getHashChain>,
                            Method<&base::IBase::setHALInstrumentation>, Method<&base::IBase::ping>,
                            Method<&base::IBase::getDebugInfo>,
                            Method<&base::IBase::notifySyspropsChanged>>;
};
template <>
struct MethodsOfInterface<v10::IDevice> {
    using List = MethodList<Method<&v10::IDevice::getCapabilities>,
                            Method<&v10::IDevice::getSupportedOperations>,
                            Method<&v10::IDevice::prepareModel>, Method<&v10::IDevice::getStatus>>;
};
template <>
struct MethodsOfInterface<v11::IDevice> {
    using List = MethodList<Method<&v11::IDevice::getCapabilities_1_1>,
                            Method<&v11::IDevice::getSupportedOperations_1_1>,
                            Method<&v11::IDevice::prepareModel_1_1>>;
};
template <>
struct MethodsOfInterface<v12::IDevice> {
    using List = MethodList<Method<&v12::IDevice::getVersionString>, Method<&v12::IDevice::getType>,
                            Method<&v12::IDevice::getCapabilities_1_2>,
                            Method<&v12::IDevice::getSupportedExtensions>,
                            Method<&v12::IDevice::getSupportedOperations_1_2>,
                            Method<&v12::IDevice::getNumberOfCacheFilesNeeded>,
                            Method<&v12::IDevice::prepareModel_1_2>,
                            Method<&v12::IDevice::prepareModelFromCache>>;
};
template <>
struct MethodsOfInterface<v13::IDevice> {
    using List = MethodList<Method<&v13::IDevice::getCapabilities_1_3>,
                            Method<&v13::IDevice::getSupportedOperations_1_3>,
                            Method<&v13::IDevice::prepareModel_1_3>,
                            Method<&v13::IDevice::prepareModelFromCache_1_3>,
                            Method<&v13::IDevice::allocate>>;
};
template <>
struct MethodsOfInterface<v10::IPreparedModel> {
    using List = MethodList<Method<&v10::IPreparedModel::execute>>;
};
template <>
struct MethodsOfInterface<v12::IPreparedModel> {
    using List = MethodList<Method<&v12::IPreparedModel::execute_1_2>,
                            Method<&v12::IPreparedModel::executeSynchronously>,
                            Method<&v12::IPreparedModel::configureExecutionBurst>>;
};
template <>
struct MethodsOfInterface<v13::IPreparedModel> {
    using List = MethodList<Method<&v13::IPreparedModel::execute_1_3>,
                            Method<&v13::IPreparedModel::executeSynchronously_1_3>,
                            Method<&v13::IPreparedModel::executeFenced>>;
};
// Notifications are not waited for, as in the HAL: a client cannot hold up the service.
template <>
struct MethodsOfInterface<v10::IPreparedModelCallback> {
    using List = MethodList<Method<&v10::IPreparedModelCallback::notify, Wait::kForNothing>>;
};
template <>
struct MethodsOfInterface<v12::IPreparedModelCallback> {
    using List = MethodList<Method<&v12::IPreparedModelCallback::notify_1_2, Wait::kForNothing>>;
};
template <>
struct MethodsOfInterface<v13::IPreparedModelCallback> {
    using List = MethodList<Method<&v13::IPreparedModelCallback::notify_1_3, Wait::kForNothing>>;
};
template <>
struct MethodsOfInterface<v10::IExecutionCallback> {
    using List = MethodList<Method<&v10::IExecutionCallback::notify, Wait::kForNothing>>;
};
template <>
struct MethodsOfInterface<v12::IExecutionCallback> {
    using List = MethodList<Method<&v12::IExecutionCallback::notify_1_2, Wait::kForNothing>>;
};
template <>
struct MethodsOfInterface<v13::IExecutionCallback> {
    using List = MethodList<Method<&v13::IExecutionCallback::notify_1_3, Wait::kForNothing>>;
};
template <>
struct MethodsOfInterface<v12::IBurstCallback> {
    using List = MethodList<Method<&v12::IBurstCallback::getMemories>>;
};
template <>
struct MethodsOfInterface<v12::IBurstContext> {
    using List = MethodList<Method<&v12::IBurstContext::freeMemory>>;
};
template <>
struct MethodsOfInterface<v13::IBuffer> {
    using List = MethodList<Method<&v13::IBuffer::copyTo>, Method<&v13::IBuffer::copyFrom>>;
};
template <>
struct MethodsOfInterface<v13::IFencedExecutionCallback> {
    using List = MethodList<Method<&v13::IFencedExecutionCallback::getExecutionInfo>>;
};

/// All interfaces; an interface's number is its place.
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

template <auto kMember>
constexpr MethodId idOf() {
    using I = typename details::Signature<decltype(kMember)>::Interface;
    return {numberOf<I>(), static_cast<uint16_t>(MethodsOf<I>::template indexOf<kMember>())};
}

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hal/rpc/interface_list.h"
#include "hal/rpc/methods.h"

// The methods of each interface by number. A change of an existing number raises `version` in
// wire.capnp.

namespace vnpu::hal::rpc {

template <typename I>
struct MethodsOfInterface;
template <typename I>
using MethodsOf = typename MethodsOfInterface<I>::List;

// Proxies answer for the interface chain and for links to death themselves.
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
// Calls of notifications return without waiting, as in the HAL, so that a client cannot block the
// service.
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

template <auto kMember>
constexpr MethodId idOf() {
    using I = typename details::Signature<decltype(kMember)>::Interface;
    return {numberOf<I>(), static_cast<uint16_t>(MethodsOf<I>::template indexOf<kMember>())};
}

}  // namespace vnpu::hal::rpc

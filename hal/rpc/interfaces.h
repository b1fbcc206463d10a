// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <cstdint>
#include <memory>

#include "hal/rpc/remote.h"

namespace vnpu::hal::rpc {

/// A proxy of the remote object, with all methods of the interface of this number
/// (interface_list.h); null for an unknown number.
android::sp<android::hidl::base::V1_0::IBase> makeProxy(uint16_t interface,
                                                        std::unique_ptr<RemoteReference> remote);

/// The remote object behind a proxy, or null if the object is not a proxy.
RemoteReference* remoteOf(android::hidl::base::V1_0::IBase& object);

/// Whether the method's arguments or results hold objects; true for an unknown method.
bool carriesObjects(MethodId method);

/// Calls the method and returns after it. An unknown number or a malformed argument is a failure in
/// the status.
Reply dispatch(android::hidl::base::V1_0::IBase& object, MethodId method, Parcel arguments);

}  // namespace vnpu::hal::rpc

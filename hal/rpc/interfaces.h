// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <cstdint>
#include <memory>

#include "hal/rpc/remote.h"

namespace vnpu::hal::rpc {

/// Number of the last interface in the object's chain that calls can reach. Asks the object.
uint16_t interfaceOf(android::hidl::base::V1_0::IBase& object);

/// An object that stands for a remote one with all methods of that interface; null for a number
/// that is none.
android::sp<android::hidl::base::V1_0::IBase> makeProxy(uint16_t interface,
                                                        std::unique_ptr<RemoteReference> remote);

/// The remote object that a proxy stands for, or null for any other object.
RemoteReference* remoteOf(android::hidl::base::V1_0::IBase& object);

/// Whether the method takes or gives objects; true for one that there is not.
bool carriesObjects(MethodId method);

/// Calls the method; a number or an argument that makes no sense is a failure in the status. May
/// take as long as the method takes.
Reply dispatch(android::hidl::base::V1_0::IBase& object, MethodId method, Parcel arguments);

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

namespace vnpu::hal {

/// Takes a service out of the registry, under every name and interface it has there. Whoever got it
/// before keeps it. False if it was not registered.
bool unregisterService(const android::sp<android::hidl::base::V1_0::IBase>& service);

}  // namespace vnpu::hal

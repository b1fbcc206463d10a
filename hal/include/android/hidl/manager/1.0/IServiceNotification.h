// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <vnpu/hal/hidl/interface.h>

namespace android::hidl::manager::V1_0 {

/// Called when a service is registered.
struct IServiceNotification
    : public ::android::hardware::details::Interface<IServiceNotification,
                                                     ::android::hidl::base::V1_0::IBase> {
    static inline const char* const descriptor = "android.hidl.manager@1.0::IServiceNotification";

    /// `preexisting`: the service was registered before the notification was requested.
    virtual ::android::hardware::Return<void> onRegistration(
            const ::android::hardware::hidl_string& fqName,
            const ::android::hardware::hidl_string& name, bool preexisting) = 0;
};

}  // namespace android::hidl::manager::V1_0

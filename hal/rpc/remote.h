// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>

#include <cstdint>
#include <string>

#include "hal/rpc/parcel.h"

namespace vnpu::hal::rpc {

/// The number of an interface (interface_list.h) and of a method in it.
struct MethodId {
    uint16_t interface = 0;
    uint16_t method = 0;
};

inline android::hardware::Status failed(int32_t exception, const std::string& reason) {
    return android::hardware::Status::fromExceptionCode(exception, reason.c_str());
}

/// The end of a call. It has results only if the status is ok.
struct Reply {
    android::hardware::Status status;
    Parcel results;
};

/// A reference that keeps an object of another process alive. Any thread.
class RemoteReference {
  public:
    virtual ~RemoteReference() = default;

    /// Waits for the answer.
    virtual Reply call(MethodId method, Parcel arguments) = 0;
    /// Does not wait; fails only if the call could not be sent.
    virtual android::hardware::Status send(MethodId method, Parcel arguments) = 0;

    /// Registers a recipient that is notified once when the other process ends. Returns false if it
    /// has ended already. `who` is passed to the recipient.
    virtual bool linkToDeath(const android::sp<android::hardware::hidl_death_recipient>& recipient,
                             uint64_t cookie,
                             const android::wp<android::hidl::base::V1_0::IBase>& who) = 0;
    /// Returns false if the recipient is not linked.
    virtual bool unlinkToDeath(
            const android::sp<android::hardware::hidl_death_recipient>& recipient) = 0;
};

}  // namespace vnpu::hal::rpc

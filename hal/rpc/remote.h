// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>

#include <cstdint>

#include "hal/rpc/parcel.h"

namespace vnpu::hal::rpc {

/// Which method of which interface, by number (interfaces.h).
struct MethodId {
    uint16_t interface = 0;
    uint16_t method = 0;
};

/// What a call ended with. Results only where the status is ok.
struct Reply {
    android::hardware::Status status;
    Parcel results;
};

/// An object of another process, held there for as long as this lives. Any thread.
class RemoteReference {
  public:
    virtual ~RemoteReference() = default;

    /// Waits for the answer.
    virtual Reply call(MethodId method, Parcel arguments) = 0;
    /// Does not wait; fails only if the call could not even be sent.
    virtual android::hardware::Status send(MethodId method, Parcel arguments) = 0;

    /// Has the recipient told once if the other process goes, unless it does already: then false.
    /// `who` is what it is told of.
    virtual bool linkToDeath(const android::sp<android::hardware::hidl_death_recipient>& recipient,
                             uint64_t cookie,
                             const android::wp<android::hidl::base::V1_0::IBase>& who) = 0;
    /// False if the recipient is not linked.
    virtual bool unlinkToDeath(
            const android::sp<android::hardware::hidl_death_recipient>& recipient) = 0;
};

}  // namespace vnpu::hal::rpc

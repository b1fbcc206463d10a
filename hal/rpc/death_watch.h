// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>

#include <cstdint>
#include <mutex>
#include <vector>

#include "hal/rpc/remote.h"
#include "hal/rpc/workers.h"

namespace vnpu::hal::rpc {

/// The death recipients of the objects of a peer. Any thread.
class DeathWatch {
    using IBase = android::hidl::base::V1_0::IBase;

  public:
    /// A recipient of an object.
    struct Link {
        const RemoteReference* object = nullptr;  // an object of the peer
        android::sp<android::hardware::hidl_death_recipient> recipient;
        uint64_t cookie = 0;
        android::wp<IBase> who;
    };

    /// Returns false if the peer has ended.
    bool add(Link link);
    /// Removes one recipient of the object; returns false if there is none.
    bool remove(const RemoteReference& object,
                const android::hardware::hidl_death_recipient* recipient);
    /// Removes all recipients of the object.
    void forget(const RemoteReference& object);
    /// Notifies all recipients on a worker, once, after the peer has ended. Later calls do nothing.
    void notifyAll(Workers& workers);

  private:
    std::mutex mutex_;  // guards the members below; a leaf
    std::vector<Link> links_;
    bool isOver_ = false;
};

}  // namespace vnpu::hal::rpc

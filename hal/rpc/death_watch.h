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

/// Who is to be told when the peer goes. Any thread.
class DeathWatch {
    using IBase = android::hidl::base::V1_0::IBase;

  public:
    struct Mourner {
        const RemoteReference* object = nullptr;  // of the peer's
        android::sp<android::hardware::hidl_death_recipient> recipient;
        uint64_t cookie = 0;
        android::wp<IBase> who;
    };

    /// False if the peer is gone.
    bool add(Mourner mourner);
    /// One of that object's; false if there is none.
    bool remove(const RemoteReference& object,
                const android::hardware::hidl_death_recipient* recipient);
    /// All of that object's.
    void forget(const RemoteReference& object);
    /// The peer is gone: all are told on a worker, once. Later calls do nothing.
    void tell(Workers& workers);

  private:
    std::mutex mutex_;  // guards what follows; a leaf
    std::vector<Mourner> mourners_;
    bool isOver_ = false;
};

}  // namespace vnpu::hal::rpc

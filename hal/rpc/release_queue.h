// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <utils/StrongPointer.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "hal/rpc/workers.h"

namespace vnpu::hal::rpc {

/// Releases objects on workers, in order: a destructor may take long, and a call that follows a
/// release must find the object destroyed. Any thread.
class ReleaseQueue : public std::enable_shared_from_this<ReleaseQueue> {
    using Object = android::sp<android::hidl::base::V1_0::IBase>;

  public:
    explicit ReleaseQueue(std::shared_ptr<Workers> workers) : workers_(std::move(workers)) {}

    void add(std::vector<Object> objects);

    /// The number of objects added so far, for await().
    uint64_t asked() const;
    /// Waits until `count` objects are released. Must not be called on a thread that is releasing
    /// one.
    void await(uint64_t count);

  private:
    void release();

    const std::shared_ptr<Workers> workers_;
    mutable std::mutex mutex_;  // guards the members below; no other lock is taken under it
    std::condition_variable gone_;
    std::deque<Object> objects_;
    uint64_t asked_ = 0;
    uint64_t done_ = 0;
    bool isAtWork_ = false;
};

}  // namespace vnpu::hal::rpc

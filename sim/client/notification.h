// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <memory>
#include <utility>

#include "sim/platform/platform.h"

namespace vnpu::sim {

/// The value of the one notification that a HAL callback gets; further notifications are ignored.
/// take() may be called on any thread; wait() is called once, on the client's own thread.
template <typename T>
class Notification {
  public:
    explicit Notification(ClientContext& context)
        : context_(context), event_(context.createEvent()) {}

    android::hardware::Return<void> take(T value) {
        if (!std::exchange(isTaken_, true)) {
            value.end = context_.now();
            value_ = std::move(value);
            event_->set();
        }
        return android::hardware::Void();
    }
    T wait() {
        event_->wait();
        return std::move(value_);
    }

  private:
    ClientContext& context_;
    std::unique_ptr<driver::HostEvent> event_;
    T value_;
    bool isTaken_ = false;
};

}  // namespace vnpu::sim

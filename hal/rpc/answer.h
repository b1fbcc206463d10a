// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <utility>

namespace vnpu::hal::rpc {

/// What a thread waits for while the loop fetches it. If nobody delivers it, its end delivers what
/// it was made with.
template <typename T>
class Answer {
  public:
    explicit Answer(T otherwise) : otherwise_(std::move(otherwise)) {}
    ~Answer() { deliver(std::move(otherwise_)); }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    /// Once, by the thread that waits.
    std::future<T> future() { return promise_.get_future(); }
    /// The first one counts.
    void deliver(T value) {
        if (!std::exchange(isDelivered_, true)) {
            promise_.set_value(std::move(value));
        }
    }

  private:
    std::promise<T> promise_;
    T otherwise_;
    bool isDelivered_ = false;
};

}  // namespace vnpu::hal::rpc

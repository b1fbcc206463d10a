// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <utility>

namespace vnpu::hal::rpc {

/// A value that one thread awaits and the loop delivers. If it is never delivered, the destructor
/// delivers the initial value.
template <typename T>
class Answer {
  public:
    explicit Answer(T otherwise) : otherwise_(std::move(otherwise)) {}
    ~Answer() { deliver(std::move(otherwise_)); }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    /// Called once, by the waiting thread.
    std::future<T> future() { return promise_.get_future(); }
    /// The first delivery counts.
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

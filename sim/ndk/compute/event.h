// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "sim/ndk/base/fence.h"
#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

/// The end of a computation, or a sync fence. Any thread.
class Event {
  public:
    virtual ~Event() = default;
    /// Waits for the end and returns its code.
    virtual ResultCode wait() = 0;
    /// The descriptor of its fence, which belongs to the event; -1 if it has none.
    virtual int fence() const { return -1; }
    /// Whether free must wait, because a computation uses the caller's memory.
    virtual bool isComputation() const { return true; }
};

/// A fence from elsewhere.
class FenceEvent : public Event {
  public:
    explicit FenceEvent(android::base::unique_fd fence) : fence_(std::move(fence)) {}

    ResultCode wait() override {
        const auto waited = waitForFence(fence_.get());
        return waited ? ANEURALNETWORKS_NO_ERROR : waited.error().code;
    }
    int fence() const override { return fence_.get(); }
    bool isComputation() const override { return false; }

  private:
    const android::base::unique_fd fence_;
};

/// A computation that a thread of this process ends, with a fence if `fence` is given.
class ComputationEvent : public Event {
  public:
    explicit ComputationEvent(std::optional<OwnFence> fence = std::nullopt)
        : fence_(std::move(fence)) {}

    void end(ResultCode code);
    ResultCode wait() override;
    int fence() const override { return fence_ ? fence_->descriptor() : -1; }

  private:
    std::mutex mutex_;  // guards code_
    std::condition_variable changed_;
    std::optional<ResultCode> code_;
    std::optional<OwnFence> fence_;  // signaled by end()
};

}  // namespace vnpu::sim::ndk

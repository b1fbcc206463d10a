// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace vnpu::driver {

/// The latest values of a sequence. One thread, or under its owner's lock.
template <typename Value>
class Latest {
  public:
    /// chosen: more than a screen shows, and a few kilobytes
    static constexpr std::size_t kKept = 64;

    void add(Value value) {
        if (values_.size() == kKept) {
            values_.pop_front();
        }
        values_.push_back(std::move(value));
        ++count_;
    }

    /// From the oldest to the newest.
    std::vector<Value> values() const { return {values_.begin(), values_.end()}; }
    /// Of all values so far.
    std::uint64_t count() const { return count_; }

  private:
    std::deque<Value> values_;
    std::uint64_t count_ = 0;
};

}  // namespace vnpu::driver

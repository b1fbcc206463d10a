// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

namespace vnpu::sim {

/// Places for objects that several threads store, use and drop. T is a handle that is cheap to copy
/// and whose default value stands for an empty place. Any thread.
template <typename T, std::size_t kPlaces>
class ObjectTable {
  public:
    static constexpr std::size_t size() { return kPlaces; }

    T get(std::size_t place) const {
        const std::lock_guard guard(mutex_);
        return objects_[place];
    }

    /// Returns the previous object, so that it is not destroyed under the lock.
    T exchange(std::size_t place, T object) {
        const std::lock_guard guard(mutex_);
        return std::exchange(objects_[place], std::move(object));
    }

  private:
    mutable std::mutex mutex_;  // guards objects_; a leaf
    std::array<T, kPlaces> objects_{};
};

}  // namespace vnpu::sim

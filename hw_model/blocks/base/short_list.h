// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "hw_model/regs/check.h"

namespace vnpu::hw {

/// Up to `kMost` elements stored in place. Every command creates and copies lists of this kind, so
/// unused elements are left uninitialized.
template <typename T, std::size_t kMost>
class ShortList {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    ShortList() {}  // NOLINT(cppcoreguidelines-pro-type-member-init): it is empty
    ShortList(const ShortList& other) { *this = other; }
    ShortList& operator=(const ShortList& other) {
        count_ = other.count_;
        std::uninitialized_copy_n(other.elements_, count_, elements_);
        return *this;
    }
    ~ShortList() = default;

    T& add(const T& element) {
        VNPU_CHECK(count_ < kMost, "work has a few operands");
        return *std::construct_at(elements_ + count_++, element);
    }

    std::size_t size() const { return count_; }
    T& operator[](std::size_t index) { return elements_[index]; }
    const T& operator[](std::size_t index) const { return elements_[index]; }
    std::span<const T> all() const { return {elements_, count_}; }

  private:
    union {
        // The first count_ elements are constructed.
        // NOLINTNEXTLINE(readability-identifier-naming): it is private
        T elements_[kMost];
    };
    std::size_t count_ = 0;
};

}  // namespace vnpu::hw

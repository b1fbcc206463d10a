// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace android::hardware {

/// N elements in a row. `hidl_array<T, N> a;` leaves plain elements unset, `hidl_array<T, N>()`
/// makes them zero.
template <typename T, size_t N>
class hidl_array {
  public:
    hidl_array() = default;
    /// Copies N elements.
    hidl_array(const T* source) { std::copy_n(source, N, elements_); }
    hidl_array(const std::array<T, N>& source) : hidl_array(source.data()) {}

    operator std::array<T, N>() const {
        std::array<T, N> result;
        std::copy_n(elements_, N, result.data());
        return result;
    }

    T* data() { return elements_; }
    const T* data() const { return elements_; }
    T& operator[](size_t index) { return elements_[index]; }
    const T& operator[](size_t index) const { return elements_[index]; }

    static constexpr size_t size() { return N; }
    static constexpr size_t elementCount() { return N; }

    friend bool operator==(const hidl_array& a, const hidl_array& b) {
        return std::equal(a.elements_, a.elements_ + N, b.elements_);
    }
    friend bool operator!=(const hidl_array& a, const hidl_array& b) { return !(a == b); }

  private:
    T elements_[N];
};

}  // namespace android::hardware

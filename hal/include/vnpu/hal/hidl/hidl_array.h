// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace android::hardware {
namespace details {

template <typename T, size_t... Sizes>
struct StdArray {
    using type = T;
};
template <typename T, size_t Size, size_t... Inner>
struct StdArray<T, Size, Inner...> {
    using type = std::array<typename StdArray<T, Inner...>::type, Size>;
};

/// A reference to the part of a hidl_array that remains when its outer dimensions are indexed. T is
/// const for a constant array.
template <typename T, size_t Size, size_t... Inner>
class hidl_array_row {
  public:
    using std_array_type = typename StdArray<std::remove_const_t<T>, Size, Inner...>::type;

    explicit hidl_array_row(T* elements) : elements_(elements) {}

    T* data() const { return elements_; }

    decltype(auto) operator[](size_t index) const {
        if constexpr (sizeof...(Inner) == 0) {
            return (elements_[index]);
        } else {
            return hidl_array_row<T, Inner...>(elements_ + index * (Inner * ...));
        }
    }

    static constexpr auto size() {
        if constexpr (sizeof...(Inner) == 0) {
            return Size;
        } else {
            return std::make_tuple(Size, Inner...);
        }
    }
    static constexpr size_t elementCount() { return (Size * ... * Inner); }

    /// Copies the elements of a standard array of the same shape.
    const hidl_array_row& operator=(const std_array_type& source) const {
        for (size_t i = 0; i < Size; ++i) {
            if constexpr (sizeof...(Inner) == 0) {
                elements_[i] = source[i];
            } else {
                (*this)[i] = source[i];
            }
        }
        return *this;
    }

    operator std_array_type() const {
        std_array_type result;
        for (size_t i = 0; i < Size; ++i) {
            result[i] = (*this)[i];
        }
        return result;
    }

  private:
    T* elements_;
};

}  // namespace details

/// Elements of one or more dimensions in row-major order. `hidl_array<T, N> a;` leaves plain
/// elements uninitialized, `hidl_array<T, N>()` zeroes them. Indexing returns an element, or a row
/// if there are more dimensions; size() is a number or a tuple.
template <typename T, size_t Size, size_t... Inner>
class hidl_array {
    using Row = details::hidl_array_row<T, Size, Inner...>;
    using ConstRow = details::hidl_array_row<const T, Size, Inner...>;

  public:
    using std_array_type = typename Row::std_array_type;

    hidl_array() = default;
    /// Copies elementCount() elements.
    hidl_array(const T* source) { std::copy_n(source, elementCount(), elements_); }
    hidl_array(const std_array_type& source) { row() = source; }

    operator std_array_type() const { return row(); }

    T* data() { return elements_; }
    const T* data() const { return elements_; }
    decltype(auto) operator[](size_t index) { return row()[index]; }
    decltype(auto) operator[](size_t index) const { return row()[index]; }

    static constexpr auto size() { return Row::size(); }
    static constexpr size_t elementCount() { return Row::elementCount(); }

    friend bool operator==(const hidl_array& a, const hidl_array& b) {
        return std::equal(a.elements_, a.elements_ + elementCount(), b.elements_);
    }
    friend bool operator!=(const hidl_array& a, const hidl_array& b) { return !(a == b); }

  private:
    Row row() { return Row(elements_); }
    ConstRow row() const { return ConstRow(elements_); }

    T elements_[(Size * ... * Inner)];
};

}  // namespace android::hardware

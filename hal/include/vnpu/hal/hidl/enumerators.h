// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace android::hardware {
namespace details {

template <typename E>
struct Enumerator {
    E value{};
    const char* name = nullptr;
};

/// The enumerators in order of declaration. An enumeration has such a table if a function
/// `enumeratorsOf(E)` beside it returns one.
template <typename E, size_t N>
constexpr std::array<Enumerator<E>, N> enumerators(const Enumerator<E> (&list)[N]) {
    std::array<Enumerator<E>, N> table{};
    for (size_t i = 0; i < N; ++i) {
        table[i] = list[i];
    }
    return table;
}

/// The table of a range of types: those of the HAL, and those of the device's manufacturer.
template <typename E>
constexpr auto rangeEnumerators() {
    return enumerators<E>({{E::BASE_MIN, "BASE_MIN"},
                           {E::FUNDAMENTAL_MIN, "FUNDAMENTAL_MIN"},
                           {E::FUNDAMENTAL_MAX, "FUNDAMENTAL_MAX"},
                           {E::OEM_MIN, "OEM_MIN"},
                           {E::OEM_MAX, "OEM_MAX"},
                           {E::BASE_MAX, "BASE_MAX"}});
}

template <typename E, size_t N>
constexpr std::array<E, N> valuesOf(const std::array<Enumerator<E>, N>& table) {
    std::array<E, N> values{};
    for (size_t i = 0; i < N; ++i) {
        values[i] = table[i].value;
    }
    return values;
}

template <typename E, typename = void>
struct HasEnumerators : std::false_type {};
template <typename E>
struct HasEnumerators<E, std::void_t<decltype(enumeratorsOf(E{}))>> : std::is_enum<E> {};

template <typename E>
using EnableForEnum = std::enable_if_t<HasEnumerators<E>::value, std::underlying_type_t<E>>;

}  // namespace details

/// The enumerators in order of declaration, inherited ones first. A value that occurs twice is
/// listed twice.
template <typename E>
class hidl_enum_range {
  public:
    constexpr hidl_enum_range() {}

    constexpr const E* begin() const { return kValues.data(); }
    constexpr const E* end() const { return kValues.data() + kValues.size(); }
    constexpr const E* cbegin() const { return begin(); }
    constexpr const E* cend() const { return end(); }
    constexpr std::reverse_iterator<const E*> rbegin() const {
        return std::reverse_iterator<const E*>(end());
    }
    constexpr std::reverse_iterator<const E*> rend() const {
        return std::reverse_iterator<const E*>(begin());
    }
    constexpr std::reverse_iterator<const E*> crbegin() const { return rbegin(); }
    constexpr std::reverse_iterator<const E*> crend() const { return rend(); }

  private:
    static constexpr auto kValues = details::valuesOf(enumeratorsOf(E{}));
};

// Bit operators between enumerators, and between an enumerator and a number of the underlying type.
template <typename E>
constexpr details::EnableForEnum<E> operator|(E a, E b) {
    using Bits = std::underlying_type_t<E>;
    return static_cast<Bits>(static_cast<Bits>(a) | static_cast<Bits>(b));
}
template <typename E>
constexpr details::EnableForEnum<E> operator&(E a, E b) {
    using Bits = std::underlying_type_t<E>;
    return static_cast<Bits>(static_cast<Bits>(a) & static_cast<Bits>(b));
}
template <typename E>
constexpr details::EnableForEnum<E> operator|(std::underlying_type_t<E> a, E b) {
    return static_cast<E>(a) | b;
}
template <typename E>
constexpr details::EnableForEnum<E> operator|(E a, std::underlying_type_t<E> b) {
    return a | static_cast<E>(b);
}
template <typename E>
constexpr details::EnableForEnum<E> operator&(std::underlying_type_t<E> a, E b) {
    return static_cast<E>(a) & b;
}
template <typename E>
constexpr details::EnableForEnum<E> operator&(E a, std::underlying_type_t<E> b) {
    return a & static_cast<E>(b);
}
template <typename E>
constexpr details::EnableForEnum<E>& operator|=(std::underlying_type_t<E>& a, E b) {
    return a = a | b;
}
template <typename E>
constexpr details::EnableForEnum<E>& operator&=(std::underlying_type_t<E>& a, E b) {
    return a = a & b;
}

}  // namespace android::hardware

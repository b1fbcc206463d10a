// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

// The parts of GoogleTest that use the HAL's types: assertions take their operands by reference to
// const, compare them directly, and print them with a PrintTo found by argument-dependent lookup,
// beside the framework's own general one, which prints with a stream.
namespace gtest_like {

template <typename T, typename = void>
struct IsStreamable : std::false_type {};
template <typename T>
struct IsStreamable<
        T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>>
    : std::true_type {};

template <typename T>
void PrintTo(const T& value, std::ostream* out) {
    if constexpr (IsStreamable<T>::value) {
        *out << value;
    } else {
        *out << sizeof(value) << " bytes";
    }
}

template <typename T>
std::string print(const T& value) {
    std::ostringstream text;
    PrintTo(value, &text);
    return text.str();
}

template <typename A, typename B>
bool isEqual(const A& a, const B& b) {
    return a == b || (print(a) + print(b)).empty();
}

template <typename A, typename B>
bool isDifferent(const A& a, const B& b) {
    return a != b || (print(a) + print(b)).empty();
}

}  // namespace gtest_like

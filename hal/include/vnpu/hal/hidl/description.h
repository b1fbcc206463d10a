// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/hidl/enumerators.h>
#include <vnpu/hal/hidl/hidl_array.h>
#include <vnpu/hal/hidl/hidl_handle.h>
#include <vnpu/hal/hidl/hidl_memory.h>
#include <vnpu/hal/hidl/hidl_string.h>
#include <vnpu/hal/hidl/hidl_vec.h>
#include <vnpu/hal/hidl/safe_union.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// How toString, PrintTo, <<, == and != of the HAL's types are derived. A struct has a function
// `fieldsOf(const T&)` beside it (VNPU_HIDL_FIELDS); an enumeration has `enumeratorsOf(E)`
// (enumerators.h); a safe union derives from SafeUnion and has `kMemberNames`. A namespace of such
// types has VNPU_HIDL_OPERATORS (declare.h).

namespace android::hardware {
namespace details {

template <typename... Ts>
struct FieldList {
    const char* names = "";
    std::tuple<const Ts&...> values;
};

template <typename... Ts>
FieldList<Ts...> fields(const char* names, const Ts&... values) {
    return {names, std::tie(values...)};
}

template <typename T, typename = void>
struct HasFields : std::false_type {};
template <typename T>
struct HasFields<T, std::void_t<decltype(fieldsOf(std::declval<const T&>()))>> : std::is_class<T> {
};

/// Whether a type has ==. Types that hold handles, memories or interfaces have none.
template <typename T, typename = void>
struct IsComparable : std::bool_constant<std::is_arithmetic_v<T> || std::is_enum_v<T>> {};
template <typename T>
struct AreComparable;
template <>
struct IsComparable<hidl_string> : std::true_type {};
template <typename T>
struct IsComparable<hidl_vec<T>> : IsComparable<T> {};
template <typename T, size_t... Sizes>
struct IsComparable<hidl_array<T, Sizes...>> : IsComparable<T> {};
template <typename T>
struct IsComparable<T, std::enable_if_t<HasFields<T>::value>>
    : AreComparable<decltype(fieldsOf(std::declval<const T&>()))> {};
template <typename T>
struct IsComparable<T, std::enable_if_t<IsSafeUnion<T>::value>>
    : AreComparable<typename T::MemberTypes> {};
template <typename... Ts>
struct AreComparable<FieldList<Ts...>> : std::conjunction<IsComparable<Ts>...> {};
template <typename... Ts>
struct AreComparable<std::tuple<Ts...>> : std::conjunction<IsComparable<Ts>...> {};

template <typename T>
struct IsComparableRecord
    : std::conjunction<std::disjunction<HasFields<T>, IsSafeUnion<T>>, IsComparable<T>> {};

/// The name at an index of a list as `first, second`.
std::string nameAt(const char* names, size_t index);
std::string describeNumber(bool value);
std::string describeNumber(float value);
std::string describeNumber(double value);
std::string describeNumber(int64_t value);
std::string describeNumber(uint64_t value);
std::string describeHex(uint64_t value);
std::string describeHandle(const native_handle_t* handle);
std::string describeMemory(const hidl_memory& memory);

/// The toString of a T; undefined for types without one.
template <typename T, typename = void>
struct Printer;

template <typename T, typename = void>
struct IsPrintable : std::false_type {};
template <typename T>
struct IsPrintable<T, std::void_t<decltype(Printer<T>::print(std::declval<const T&>()))>>
    : std::true_type {};

template <typename T>
struct Printer<T, std::enable_if_t<std::is_arithmetic_v<T>>> {
    static std::string print(T value) {
        if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
            return describeNumber(value);
        } else if constexpr (std::is_signed_v<T>) {
            return describeNumber(static_cast<int64_t>(value));
        } else {
            return describeNumber(static_cast<uint64_t>(value));
        }
    }
};

template <typename E>
struct Printer<E, std::enable_if_t<HasEnumerators<E>::value>> {
    static std::string print(E value) {
        for (const auto& enumerator : enumeratorsOf(value)) {
            if (enumerator.value == value) {
                return enumerator.name;
            }
        }
        using Bits = std::make_unsigned_t<std::underlying_type_t<E>>;
        return describeHex(static_cast<Bits>(value));
    }
};

template <>
struct Printer<hidl_string> {
    static std::string print(const hidl_string& text) { return '"' + std::string(text) + '"'; }
};
template <>
struct Printer<hidl_handle> {
    static std::string print(const hidl_handle& handle) {
        return describeHandle(handle.getNativeHandle());
    }
};
template <>
struct Printer<hidl_memory> {
    static std::string print(const hidl_memory& memory) { return describeMemory(memory); }
};

template <typename Iterator>
std::string describeList(Iterator begin, Iterator end) {
    std::string text = "[" + std::to_string(std::distance(begin, end)) + "]{";
    for (Iterator it = begin; it != end; ++it) {
        using T = typename std::iterator_traits<Iterator>::value_type;
        text += (it == begin ? "" : ", ") + Printer<T>::print(*it);
    }
    return text + "}";
}
template <typename T>
struct Printer<hidl_vec<T>, std::enable_if_t<IsPrintable<T>::value>> {
    static std::string print(const hidl_vec<T>& list) {
        return describeList(list.begin(), list.end());
    }
};
template <size_t... Sizes>
std::string describeSizes() {
    return (("[" + std::to_string(Sizes) + "]") + ...);
}
template <typename T, size_t Size, size_t... Inner>
std::string describeElements(const T* elements) {
    std::string text = "{";
    for (size_t i = 0; i < Size; ++i) {
        text += i == 0 ? "" : ", ";
        if constexpr (sizeof...(Inner) == 0) {
            text += Printer<T>::print(elements[i]);
        } else {
            text += describeElements<T, Inner...>(elements + i * (Inner * ...));
        }
    }
    return text + "}";
}
template <typename T, size_t... Sizes>
struct Printer<hidl_array<T, Sizes...>, std::enable_if_t<IsPrintable<T>::value>> {
    static std::string print(const hidl_array<T, Sizes...>& list) {
        return describeSizes<Sizes...>() + describeElements<T, Sizes...>(list.data());
    }
};

template <typename... Ts>
std::string describeFields(const FieldList<Ts...>& list) {
    std::string text = "{";
    size_t index = 0;
    std::apply(
            [&](const Ts&... values) {
                ((text += (index == 0 ? "." : ", .") + nameAt(list.names, index) + " = " +
                          Printer<Ts>::print(values),
                  ++index),
                 ...);
            },
            list.values);
    return text + "}";
}
template <typename T>
struct Printer<T, std::enable_if_t<HasFields<T>::value>> {
    static std::string print(const T& value) { return describeFields(fieldsOf(value)); }
};

template <typename T>
struct Printer<T, std::enable_if_t<IsSafeUnion<T>::value>> {
    static std::string print(const T& value) {
        std::string text;
        const bool isNamed = value.visitMember([&](const auto& member) {
            text = "{." + nameAt(T::kMemberNames, value.memberIndex()) + " = " +
                   Printer<std::decay_t<decltype(member)>>::print(member) + "}";
        });
        return isNamed ? text : "{unknown member " + std::to_string(value.memberIndex()) + "}";
    }
};

/// The enumerators whose bits make up a number, as `A | B (0x3)`. Bits without an enumerator appear
/// as a number.
template <typename E>
std::string describeBits(std::underlying_type_t<E> bits) {
    using Bits = std::make_unsigned_t<std::underlying_type_t<E>>;
    const Bits wanted = static_cast<Bits>(bits);
    std::string text;
    Bits named = 0;
    for (const auto& enumerator : enumeratorsOf(E{})) {
        const Bits own = static_cast<Bits>(enumerator.value);
        if (own == 0 ? wanted == 0 : (wanted & own) == own) {
            text += (text.empty() ? "" : " | ") + std::string(enumerator.name);
            named = static_cast<Bits>(named | own);
        }
    }
    if (named != wanted) {
        text += (text.empty() ? "" : " | ") + describeHex(static_cast<Bits>(wanted & ~named));
    }
    return text + " (" + describeHex(wanted) + ")";
}

}  // namespace details

// The empty packs below make these templates worse matches than a function of a single argument, so
// that a test framework's own toString and PrintTo stay callable for the HAL's types.

/// The text of a value: the name of an enumerator (or a hexadecimal number), fields by name, lists
/// as `[n]{a, b}`.
template <typename T, typename... None,
          typename = std::enable_if_t<sizeof...(None) == 0 && details::IsPrintable<T>::value>>
std::string toString(const T& value, None...) {
    return details::Printer<T>::print(value);
}

/// `toString<E>(number)` shows the number as bits of an enumeration.
template <typename E, typename = details::EnableForEnum<E>>
std::string toString(std::underlying_type_t<E> bits) {
    return details::describeBits<E>(bits);
}

template <typename T, typename... None,
          typename = std::enable_if_t<sizeof...(None) == 0 && details::IsPrintable<T>::value>>
void PrintTo(const T& value, std::ostream* out, None...) {
    *out << details::Printer<T>::print(value);
}

template <typename T, typename = std::enable_if_t<details::HasEnumerators<T>::value ||
                                                  details::HasFields<T>::value ||
                                                  details::IsSafeUnion<T>::value>>
std::ostream& operator<<(std::ostream& out, const T& value) {
    return out << details::Printer<T>::print(value);
}

template <typename T, typename = std::enable_if_t<details::IsComparableRecord<T>::value>>
bool operator==(const T& a, const T& b) {
    if constexpr (details::HasFields<T>::value) {
        return fieldsOf(a).values == fieldsOf(b).values;
    } else {
        bool isEqual = false;
        if (a.memberIndex() == b.memberIndex()) {
            a.visitMember([&](const auto& member) {
                b.visitMember([&](const auto& other) {
                    if constexpr (std::is_same_v<decltype(member), decltype(other)>) {
                        isEqual = member == other;
                    }
                });
            });
        }
        return isEqual;
    }
}
template <typename T, typename = std::enable_if_t<details::IsComparableRecord<T>::value>>
bool operator!=(const T& a, const T& b) {
    return !(a == b);
}

}  // namespace android::hardware

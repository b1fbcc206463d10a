// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

namespace android::hidl::safe_union::V1_0 {

/// The member of a union that carries nothing.
struct Monostate {};
static_assert(sizeof(Monostate) == 1);

using ::android::hardware::PrintTo;
using ::android::hardware::toString;
using ::android::hardware::operator<<;

constexpr bool operator==(const Monostate&, const Monostate&) {
    return true;
}
constexpr bool operator!=(const Monostate&, const Monostate&) {
    return false;
}

}  // namespace android::hidl::safe_union::V1_0

namespace android::hardware::details {

template <>
struct IsComparable<hidl::safe_union::V1_0::Monostate> : std::true_type {};
template <>
struct Printer<hidl::safe_union::V1_0::Monostate> {
    static std::string print(const hidl::safe_union::V1_0::Monostate&) { return "{}"; }
};

}  // namespace android::hardware::details

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "hal/rpc/interface_list.h"
#include "hal/rpc/methods.h"

namespace vnpu::hal::rpc {

namespace details {

using AllMethods = decltype(std::tuple_cat(
#define VNPU_METHOD(INTERFACE, NAME, WAIT) std::tuple<Method<&INTERFACE::NAME, Wait::WAIT>>(),
#include "hal/rpc/methods.def"
        std::tuple<>()));

/// The methods whose interface has a relation to I.
template <template <typename, typename> typename Relation, typename I, typename... Ms>
auto select(std::tuple<Ms...>)
        -> decltype(std::tuple_cat(std::conditional_t<Relation<typename Ms::Interface, I>::value,
                                                      std::tuple<Ms>, std::tuple<>>()...));

}  // namespace details

/// The methods of an interface without its parents', by number.
template <typename I>
using MethodsOf = decltype(details::select<std::is_same, I>(details::AllMethods()));

/// The methods of an interface and its parents.
template <typename I>
using MethodsWithParents = decltype(details::select<std::is_base_of, I>(details::AllMethods()));

/// A type for a member pointer: comparing pointers to virtual members is not a constant expression.
template <auto kMember>
struct MemberTag;

template <auto kMember>
constexpr MethodId idOf() {
    using I = typename details::Signature<decltype(kMember)>::Interface;
    uint16_t index = 0;
    [&]<typename... Ms>(std::type_identity<std::tuple<Ms...>>) {
        static_cast<void>((
                (std::is_same_v<MemberTag<Ms::kPointer>, MemberTag<kMember>> || (++index, false)) ||
                ...));
    }(std::type_identity<MethodsOf<I>>());
    return {numberOf<I>(), index};
}

}  // namespace vnpu::hal::rpc

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlInternal.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace android::hardware::details {

/// The storage of a safe union: a discriminator at offset 0 and one live member of `Members` at the
/// first offset that aligns all of them. The default state is the first member with every byte
/// zero. A derived class adds the names by VNPU_HIDL_UNION and a VNPU_HIDL_MEMBER for
/// each member (declare.h).
template <typename... Members>
class SafeUnion {
  public:
    using MemberTypes = std::tuple<Members...>;
    template <size_t I>
    using MemberType = std::tuple_element_t<I, MemberTypes>;
    /// How a member is passed and returned.
    template <size_t I>
    using MemberValue = std::conditional_t<std::is_scalar_v<MemberType<I>>, MemberType<I>,
                                           const MemberType<I>&>;

    SafeUnion() { construct<0>(); }
    SafeUnion(const SafeUnion& other) { copyFrom(other); }
    SafeUnion(SafeUnion&& other) noexcept { moveFrom(other); }
    ~SafeUnion() { destroy(); }

    SafeUnion& operator=(const SafeUnion& other) {
        if (this != &other) {
            destroy();
            copyFrom(other);
        }
        return *this;
    }
    SafeUnion& operator=(SafeUnion&& other) noexcept {
        if (this != &other) {
            destroy();
            moveFrom(other);
        }
        return *this;
    }

    /// The index of the live member. Bytes from shared memory may hold an index without a member.
    uint8_t memberIndex() const { return discriminator_; }

    /// Calls `visitor(member)` with the live member; returns false if the discriminator is invalid.
    template <typename Visitor>
    bool visitMember(Visitor&& visitor) const {
        return visitMembers(std::index_sequence_for<Members...>(),
                            [&](auto index) { visitor(*pointer<decltype(index)::value>()); });
    }

    /// Aborts the process if the member is not live.
    template <size_t I>
    const MemberType<I>& get() const {
        check(discriminator_ == I, "a safe union is read as a member that is not live");
        return *pointer<I>();
    }
    template <size_t I>
    MemberType<I>& get() {
        check(discriminator_ == I, "a safe union is read as a member that is not live");
        return *pointer<I>();
    }

    /// Makes member I the live one in zeroed storage, unless it is live already.
    template <size_t I>
    MemberType<I>& select() {
        if (discriminator_ != I) {
            destroy();
            construct<I>();
        }
        return *pointer<I>();
    }

  protected:
    template <size_t I, typename Value>
    void set(Value&& value) {
        select<I>() = std::forward<Value>(value);
    }

  private:
    static constexpr bool kIsPlain = (std::is_trivially_copyable_v<Members> && ...);
    static constexpr size_t kAlignment = std::max({alignof(uint8_t), alignof(Members)...});

    template <size_t I>
    MemberType<I>* pointer() {
        return std::launder(reinterpret_cast<MemberType<I>*>(&storage_[0]));
    }
    template <size_t I>
    const MemberType<I>* pointer() const {
        return std::launder(reinterpret_cast<const MemberType<I>*>(&storage_[0]));
    }

    /// Calls `action(integral_constant<I>)` for the live member's index I.
    template <size_t... I, typename Action>
    bool visitMembers(std::index_sequence<I...>, Action&& action) const {
        return ((discriminator_ == I && (action(std::integral_constant<size_t, I>()), true)) ||
                ...);
    }

    template <size_t I, typename... Args>
    void construct(Args&&... args) {
        using Member = MemberType<I>;
        std::memset(storage_, 0, sizeof(storage_));
        if constexpr (sizeof...(Args) > 0 || !std::is_trivially_copyable_v<Member>) {
            new (static_cast<void*>(storage_)) Member(std::forward<Args>(args)...);
        }
        discriminator_ = static_cast<uint8_t>(I);
    }

    void destroy() {
        visitMembers(std::index_sequence_for<Members...>(), [&](auto index) {
            using Member = MemberType<decltype(index)::value>;
            pointer<decltype(index)::value>()->~Member();
        });
    }

    void copyFrom(const SafeUnion& other) {
        if constexpr (kIsPlain) {
            copyBytes(other);
        } else {
            other.visitMembers(std::index_sequence_for<Members...>(), [&](auto index) {
                construct<decltype(index)::value>(
                        *other.template pointer<decltype(index)::value>());
            });
        }
    }

    void moveFrom(SafeUnion& other) {
        if constexpr (kIsPlain) {
            copyBytes(other);
        } else {
            other.visitMembers(std::index_sequence_for<Members...>(), [&](auto index) {
                construct<decltype(index)::value>(
                        std::move(*other.template pointer<decltype(index)::value>()));
            });
        }
    }

    // Padding is copied too: the unions of the burst queues lie in memory that other processes
    // read.
    void copyBytes(const SafeUnion& other) {
        discriminator_ = other.discriminator_;
        std::memcpy(storage_, other.storage_, sizeof(storage_));
    }

    uint8_t discriminator_ = 0;
    uint8_t reserved_[kAlignment > 1 ? kAlignment - 1 : 1] = {};
    alignas(kAlignment) unsigned char storage_[std::max({sizeof(Members)...})] = {};
};

template <typename... Members>
void asSafeUnion(const SafeUnion<Members...>&);

template <typename T, typename = void>
struct IsSafeUnion : std::false_type {};
template <typename T>
struct IsSafeUnion<T, std::void_t<decltype(asSafeUnion(std::declval<const T&>())),
                                  typename T::hidl_discriminator>> : std::true_type {};

}  // namespace android::hardware::details

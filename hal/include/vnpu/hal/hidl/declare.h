// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/hidl/description.h>

#include <cstdint>

// These macros expand to what Android's generator writes for each declaration of an interface file.
// They are macros because a name is used both as an identifier and as text.

/// Imports toString, PrintTo and the operators for argument-dependent lookup; once in each
/// namespace of types.
#define VNPU_HIDL_OPERATORS                \
    using ::android::hardware::PrintTo;    \
    using ::android::hardware::toString;   \
    using ::android::hardware::operator<<; \
    using ::android::hardware::operator==; \
    using ::android::hardware::operator!=; \
    using ::android::hardware::operator|;  \
    using ::android::hardware::operator&;  \
    using ::android::hardware::operator|=; \
    using ::android::hardware::operator&=;

/// Describes a struct by all its fields, in order of declaration.
#define VNPU_HIDL_FIELDS(TYPE, ...)                                             \
    inline auto fieldsOf(const TYPE& value) {                                   \
        const auto& [__VA_ARGS__] = value;                                      \
        return ::android::hardware::details::fields(#__VA_ARGS__, __VA_ARGS__); \
    }

/// The names of a safe union's members, in order of index.
#define VNPU_HIDL_UNION(...)                                  \
    enum class hidl_discriminator : uint8_t { __VA_ARGS__ };  \
    static constexpr const char* kMemberNames = #__VA_ARGS__; \
    hidl_discriminator getDiscriminator() const {             \
        return hidl_discriminator{memberIndex()};             \
    }

/// The getters of a member of a safe union.
#define VNPU_HIDL_GETTERS(INDEX, NAME) \
    MemberType<INDEX>& NAME() {        \
        return get<INDEX>();           \
    }                                  \
    MemberValue<INDEX> NAME() const {  \
        return get<INDEX>();           \
    }

/// The setter and the getters of a member that is copied with its padding.
#define VNPU_HIDL_MEMBER(INDEX, NAME)     \
    void NAME(MemberValue<INDEX> value) { \
        set<INDEX>(value);                \
    }                                     \
    VNPU_HIDL_GETTERS(INDEX, NAME)

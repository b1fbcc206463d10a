// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/safe_union/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/MQDescriptor.h>
#include <vnpu/hal/hidl/description.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "hal/rpc/parcel.h"

// The encoding of each type of the HAL, derived from its description (vnpu/hal/hidl): numbers as in
// memory, lists after their length, unions after the index of their member.

namespace vnpu::hal::rpc {

/// `write(writer, value)`, `read(reader, value)` into a default-constructed value, and
/// `kLeastBytes`, the smallest encoded size of any value.
template <typename T>
struct Codec;

template <typename T>
void write(ParcelWriter& writer, const T& value) {
    Codec<T>::write(writer, value);
}
template <typename T>
void read(ParcelReader& reader, T& value) {
    Codec<T>::read(reader, value);
}

template <typename T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <Number T>
struct Codec<T> {
    static constexpr size_t kLeastBytes = sizeof(T);
    static void write(ParcelWriter& writer, T value) { writer.writeNumber(value); }
    static void read(ParcelReader& reader, T& value) { value = reader.readNumber<T>(); }
};

template <>
struct Codec<bool> {
    static constexpr size_t kLeastBytes = 1;
    static void write(ParcelWriter& writer, bool value) { writer.writeNumber<uint8_t>(value); }
    static void read(ParcelReader& reader, bool& value) {
        const auto number = reader.readNumber<uint8_t>();
        if (number > 1) {
            reader.fail("a bool is neither 0 nor 1");
        }
        value = number == 1;
    }
};

template <>
struct Codec<android::hardware::hidl_string> {
    static constexpr size_t kLeastBytes = sizeof(uint32_t);
    static void write(ParcelWriter& writer, const android::hardware::hidl_string& text) {
        writer.writeLength(text.size());
        writer.writeBytes(text.c_str(), text.size());
    }
    static void read(ParcelReader& reader, android::hardware::hidl_string& text) {
        std::string contents(reader.readLength(1), '\0');
        reader.readBytes(contents.data(), contents.size());
        text = contents;
    }
};

template <typename T>
struct Codec<android::hardware::hidl_vec<T>> {
    using List = android::hardware::hidl_vec<T>;

    static constexpr size_t kLeastBytes = sizeof(uint32_t);
    static void write(ParcelWriter& writer, const List& list) {
        writer.writeLength(list.size());
        if constexpr (kIsFlat) {
            writer.writeBytes(list.data(), list.size() * sizeof(T));
        } else {
            for (const T& element : list) {
                rpc::write(writer, element);
            }
        }
    }
    static void read(ParcelReader& reader, List& list) {
        list.resize(reader.readLength(Codec<T>::kLeastBytes));
        if constexpr (kIsFlat) {
            reader.readBytes(list.data(), list.size() * sizeof(T));
        } else {
            for (size_t i = 0; i < list.size() && reader.isGood(); ++i) {
                rpc::read(reader, list[i]);
            }
        }
    }

  private:
    static constexpr bool kIsFlat = Number<T> && !std::is_same_v<T, bool>;
};

template <typename T, size_t... kSizes>
struct Codec<android::hardware::hidl_array<T, kSizes...>> {
    using Array = android::hardware::hidl_array<T, kSizes...>;

    static constexpr size_t kLeastBytes = (kSizes * ...) * Codec<T>::kLeastBytes;
    static void write(ParcelWriter& writer, const Array& array) {
        std::for_each_n(array.data(), Array::elementCount(),
                        [&](const T& element) { rpc::write(writer, element); });
    }
    static void read(ParcelReader& reader, Array& array) {
        std::for_each_n(array.data(), Array::elementCount(),
                        [&](T& element) { rpc::read(reader, element); });
    }
};

template <>
struct Codec<android::hardware::hidl_handle> {
    static constexpr size_t kLeastBytes = 1;
    static void write(ParcelWriter& writer, const android::hardware::hidl_handle& handle) {
        writer.writeHandle(handle.getNativeHandle());
    }
    static void read(ParcelReader& reader, android::hardware::hidl_handle& handle) {
        handle.setTo(reader.readHandle(), true);
    }
};

template <>
struct Codec<android::hardware::hidl_memory> {
    static constexpr size_t kLeastBytes = 1 + sizeof(uint64_t) + sizeof(uint32_t);
    static void write(ParcelWriter& writer, const android::hardware::hidl_memory& memory) {
        writer.writeHandle(memory.handle());
        writer.writeNumber(memory.size());
        rpc::write(writer, memory.name());
    }
    static void read(ParcelReader& reader, android::hardware::hidl_memory& memory) {
        android::hardware::hidl_handle handle;
        rpc::read(reader, handle);
        const auto size = reader.readNumber<uint64_t>();
        android::hardware::hidl_string name;
        rpc::read(reader, name);
        memory = android::hardware::hidl_memory(name, std::move(handle), size);
    }
};

template <typename T>
struct Codec<android::sp<T>> {
    static constexpr size_t kLeastBytes = 1;
    static void write(ParcelWriter& writer, const android::sp<T>& object) {
        writer.writeObject(object);
    }
    static void read(ParcelReader& reader, android::sp<T>& object) {
        const auto any = reader.readObject();
        object = dynamic_cast<T*>(any.get());
        if (any != nullptr && object == nullptr) {
            reader.fail(std::string("an object is no ") + T::descriptor);
        }
    }
};

template <>
struct Codec<android::hidl::safe_union::V1_0::Monostate> {
    using Monostate = android::hidl::safe_union::V1_0::Monostate;

    static constexpr size_t kLeastBytes = 0;
    static void write(ParcelWriter& /*writer*/, const Monostate& /*value*/) {}
    static void read(ParcelReader& /*reader*/, Monostate& /*value*/) {}
};

template <typename T>
concept Union = android::hardware::details::IsSafeUnion<T>::value;

template <Union T>
struct Codec<T> {
    static constexpr size_t kLeastBytes = 1;
    static void write(ParcelWriter& writer, const T& value) {
        writer.writeNumber(value.memberIndex());
        if (!value.visitMember([&](const auto& member) { rpc::write(writer, member); })) {
            writer.fail("a union has an unknown member");
        }
    }
    static void read(ParcelReader& reader, T& value) {
        const auto index = reader.readNumber<uint8_t>();
        if (!readMember(reader, value, index,
                        std::make_index_sequence<std::tuple_size_v<typename T::MemberTypes>>())) {
            reader.fail("a union has no member " + std::to_string(index));
        }
    }

  private:
    template <size_t... kIndexes>
    static bool readMember(ParcelReader& reader, T& value, uint8_t index,
                           std::index_sequence<kIndexes...> /*all*/) {
        return ((index == kIndexes &&
                 (rpc::read(reader, value.template select<kIndexes>()), true)) ||
                ...);
    }
};

template <typename T>
concept Record = android::hardware::details::HasFields<T>::value;

template <Record T>
struct Codec<T> {
    using Fields = decltype(fieldsOf(std::declval<const T&>()).values);

    static constexpr size_t kLeastBytes = []<typename... Ts>(std::tuple<const Ts&...>*) {
        return (Codec<Ts>::kLeastBytes + ... + 0);
    }(static_cast<Fields*>(nullptr));

    static void write(ParcelWriter& writer, const T& value) {
        std::apply([&](const auto&... fields) { (rpc::write(writer, fields), ...); },
                   fieldsOf(value).values);
    }
    static void read(ParcelReader& reader, T& value) {
        // fieldsOf() returns references to const, but this value is not const.
        std::apply([&](const auto&... fields) { (rpc::read(reader, mutableRef(fields)), ...); },
                   fieldsOf(value).values);
    }

  private:
    template <typename Field>
    static Field& mutableRef(const Field& field) {
        return const_cast<Field&>(field);
    }
};

/// Regions and sizes are unchecked here: a queue checks them when it maps them.
template <typename T, android::hardware::MQFlavor kFlavor>
struct Codec<android::hardware::MQDescriptor<T, kFlavor>> {
    using Descriptor = android::hardware::MQDescriptor<T, kFlavor>;

    static constexpr size_t kLeastBytes = 1 + 3 * sizeof(uint32_t);
    static void write(ParcelWriter& writer, const Descriptor& descriptor) {
        rpc::write(writer, descriptor.grantors());
        writer.writeHandle(descriptor.handle());
        writer.writeNumber(static_cast<uint32_t>(descriptor.getQuantum()));
        writer.writeNumber(descriptor.getFlags());
    }
    static void read(ParcelReader& reader, Descriptor& descriptor) {
        android::hardware::hidl_vec<android::hardware::GrantorDescriptor> grantors;
        rpc::read(reader, grantors);
        native_handle_t* const handle = reader.readHandle();
        const auto quantum = reader.readNumber<uint32_t>();
        const auto flags = reader.readNumber<int32_t>();
        descriptor = Descriptor(grantors, handle, quantum);
        if (flags != descriptor.getFlags()) {
            reader.fail("a queue of kind " + std::to_string(flags) + ", expected " +
                        std::to_string(descriptor.getFlags()));
        }
    }
};

}  // namespace vnpu::hal::rpc

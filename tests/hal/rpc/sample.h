// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>

#include <memory>
#include <tuple>
#include <utility>

#include "hal/rpc/codec.h"
#include "hal/rpc/proxies.h"

namespace vnpu::hal::rpc::test {

/// Generates values of any type of the HAL in which every field differs from its default and, if
/// there are enough values, from every other field.
class Sampler {
  public:
    template <typename T>
    T make() {
        T value{};
        fill(value);
        return value;
    }

    template <Number T>
    void fill(T& value) {
        value = static_cast<T>(++last_ % 100);
    }
    void fill(bool& value) { value = true; }
    void fill(android::hardware::hidl_string& value) {
        value = std::string("name ") + std::to_string(++last_);
    }
    template <typename T>
    void fill(android::hardware::hidl_vec<T>& value) {
        value.resize(2);
        fill(value[0]);
        fill(value[1]);
    }
    template <typename T, size_t... kSizes>
    void fill(android::hardware::hidl_array<T, kSizes...>& value) {
        for (size_t i = 0; i < value.elementCount(); ++i) {
            fill(value.data()[i]);
        }
    }
    void fill(android::hardware::hidl_handle& value) { value.setTo(makeHandle(), true); }
    void fill(android::hardware::hidl_memory& value) {
        android::hardware::hidl_handle handle;
        handle.setTo(makeHandle(), true);
        value = android::hardware::hidl_memory("ashmem", std::move(handle), ++last_);
    }
    template <typename T>
    void fill(android::sp<T>& value) {
        value = new Proxy<T>(nullptr);
    }
    void fill(android::hidl::safe_union::V1_0::Monostate& /*value*/) {}
    template <Union T>
    void fill(T& value) {
        constexpr size_t kLast = std::tuple_size_v<typename T::MemberTypes> - 1;
        fill(value.template select<kLast>());
    }
    template <Record T>
    void fill(T& value) {
        std::apply([&](const auto&... fields) { (fillField(fields), ...); },
                   fieldsOf(value).values);
    }
    template <typename T, android::hardware::MQFlavor kFlavor>
    void fill(android::hardware::MQDescriptor<T, kFlavor>& value) {
        value = android::hardware::MQDescriptor<T, kFlavor>(64, makeHandle(), 8, true);
    }
    template <typename... Ts>
    void fill(std::tuple<Ts...>& values) {
        std::apply([&](auto&... each) { (fill(each), ...); }, values);
    }

  private:
    template <typename T>
    void fillField(const T& field) {
        fill(const_cast<T&>(field));
    }
    native_handle_t* makeHandle() {
        native_handle_t* const handle = native_handle_create(1, 2);
        handle->data[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        handle->data[1] = static_cast<int>(++last_);
        handle->data[2] = static_cast<int>(++last_);
        return handle;
    }

    uint64_t last_ = 0;
};

/// Calls `visit(pointer to a null Method)` for every method of every interface.
template <typename Visitor>
void forEachMethod(const Visitor& visit) {
    const auto visitList = [&]<typename... Ms>(std::tuple<Ms...>) {
        (visit(static_cast<Ms*>(nullptr)), ...);
    };
    [&]<typename... Is>(std::type_identity<std::tuple<Is...>>) {
        (visitList(MethodsOf<Is>()), ...);
    }(std::type_identity<Interfaces>());
}

template <typename T>
Parcel encode(const T& value) {
    ParcelWriter writer;
    write(writer, value);
    return std::move(*writer.finish());
}
template <typename... Ts>
Parcel encode(const std::tuple<Ts...>& values) {
    ParcelWriter writer;
    std::apply([&](const auto&... each) { (write(writer, each), ...); }, values);
    return std::move(*writer.finish());
}

/// The contents of a parcel, or nothing if it is malformed.
template <typename T>
bool decode(Parcel parcel, T& value) {
    ParcelReader reader(std::move(parcel));
    read(reader, value);
    return reader.finish().has_value();
}
template <typename... Ts>
bool decode(Parcel parcel, std::tuple<Ts...>& values) {
    ParcelReader reader(std::move(parcel));
    return details::readAll(reader, values).empty();
}

/// A parcel with other bytes, and with its own objects and duplicated descriptors.
inline Parcel withBytes(const Parcel& parcel, std::vector<std::byte> bytes) {
    Parcel other;
    other.bytes = std::move(bytes);
    other.objects = parcel.objects;
    for (const auto& descriptor : parcel.descriptors) {
        other.descriptors.emplace_back(fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0));
    }
    return other;
}

}  // namespace vnpu::hal::rpc::test

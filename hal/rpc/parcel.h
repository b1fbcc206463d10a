// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <android/hidl/base/1.0/IBase.h>
#include <cutils/native_handle.h>
#include <utils/StrongPointer.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <vector>

namespace vnpu::hal::rpc {

/// What a call or its answer carries: bytes, and in their order the objects and file descriptors
/// that the bytes speak of.
struct Parcel {
    struct Object {
        android::sp<android::hidl::base::V1_0::IBase> object;
        uint16_t interface = 0;  ///< number of its interface (interfaces.h)
    };

    std::vector<std::byte> bytes;
    std::vector<Object> objects;
    std::vector<android::base::unique_fd> descriptors;
};

/// Writes a parcel. What cannot be written makes it fail for good: the first reason counts.
class ParcelWriter {
  public:
    template <typename T>
    void writeNumber(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        writeBytes(&value, sizeof(value));
    }
    void writeBytes(const void* data, size_t sizeBytes);
    /// Of a list or a string.
    void writeLength(size_t length);
    /// With duplicates of the descriptors.
    void writeHandle(const native_handle_t* handle);
    void writeObject(const android::sp<android::hidl::base::V1_0::IBase>& object);
    void fail(const std::string& reason);

    /// The parcel, or why it could not be written.
    [[nodiscard]] tl::expected<Parcel, std::string> finish();

  private:
    Parcel parcel_;
    std::string failure_;
};

/// Reads a parcel that may hold anything. Once something is wrong, only zeroes come out; the first
/// reason counts.
class ParcelReader {
  public:
    explicit ParcelReader(Parcel parcel) : parcel_(std::move(parcel)) {}

    template <typename T>
    T readNumber() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        readBytes(&value, sizeof(value));
        return value;
    }
    void readBytes(void* data, size_t sizeBytes);
    /// Of a list or a string whose elements take at least `elementBytes` each: no more than what is
    /// left can hold.
    size_t readLength(size_t elementBytes);
    /// Null, or a handle that the caller owns.
    native_handle_t* readHandle();
    /// Null, or the object.
    android::sp<android::hidl::base::V1_0::IBase> readObject();
    void fail(const std::string& reason);
    bool isGood() const { return failure_.empty(); }

    /// Fails also where something is left over.
    [[nodiscard]] tl::expected<void, std::string> finish();

  private:
    size_t bytesLeft() const { return parcel_.bytes.size() - position_; }

    Parcel parcel_;
    size_t position_ = 0;
    size_t nextObject_ = 0;
    size_t nextDescriptor_ = 0;
    std::string failure_;
};

}  // namespace vnpu::hal::rpc

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

/// The payload of a call or an answer: bytes, and the objects and file descriptors that the bytes
/// refer to, in order.
struct Parcel {
    struct Object {
        android::sp<android::hidl::base::V1_0::IBase> object;
        uint16_t interface = 0;  ///< number of its interface (interface_list.h)
    };

    std::vector<std::byte> bytes;
    std::vector<Object> objects;
    std::vector<android::base::unique_fd> descriptors;
};

/// Writes a parcel. After a failure the whole parcel fails; the first reason is kept.
class ParcelWriter {
  public:
    template <typename T>
    void writeNumber(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        writeBytes(&value, sizeof(value));
    }
    void writeBytes(const void* data, size_t sizeBytes);
    /// Writes the length of a list or a string.
    void writeLength(size_t length);
    /// Writes a handle with duplicates of its descriptors.
    void writeHandle(const native_handle_t* handle);
    void writeObject(const android::sp<android::hidl::base::V1_0::IBase>& object);
    void fail(const std::string& reason);

    /// The parcel, or the reason of the failure.
    [[nodiscard]] tl::expected<Parcel, std::string> finish();

  private:
    Parcel parcel_;
    std::string failure_;
};

/// Reads an untrusted parcel. After a failure all reads return zeroes; the first reason is kept.
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
    /// Reads the length of a list or a string with elements of at least `elementBytes` each. The
    /// length never exceeds the remaining bytes.
    size_t readLength(size_t elementBytes);
    /// Null, or a handle that the caller owns.
    native_handle_t* readHandle();
    /// The object, or null.
    android::sp<android::hidl::base::V1_0::IBase> readObject();
    void fail(const std::string& reason);
    bool isGood() const { return failure_.empty(); }

    /// Fails also if unread data is left.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlInternal.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace android::hardware {

/// The string of the HIDL interfaces: 16 bytes that own or borrow a zero-terminated buffer.
class hidl_string {
  public:
    hidl_string();
    /// A null pointer becomes the empty string.
    hidl_string(const char* text);
    hidl_string(const char* text, size_t length);
    hidl_string(const std::string& text);
    hidl_string(const hidl_string& other);
    hidl_string(hidl_string&& other) noexcept;
    ~hidl_string();

    hidl_string& operator=(const hidl_string& other);
    hidl_string& operator=(hidl_string&& other) noexcept;
    hidl_string& operator=(const char* text);
    hidl_string& operator=(const std::string& text);

    operator std::string() const { return std::string(view()); }

    const char* c_str() const { return buffer_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    void clear();
    /// Borrows `size` characters at `data`, which must be followed by a zero character.
    void setToExternal(const char* data, size_t size);

    friend bool operator==(const hidl_string& a, const hidl_string& b) {
        return a.view() == b.view();
    }
    friend bool operator!=(const hidl_string& a, const hidl_string& b) {
        return a.view() != b.view();
    }
    friend bool operator<(const hidl_string& a, const hidl_string& b) {
        return a.view() < b.view();
    }
    friend bool operator<=(const hidl_string& a, const hidl_string& b) {
        return a.view() <= b.view();
    }
    friend bool operator>(const hidl_string& a, const hidl_string& b) {
        return a.view() > b.view();
    }
    friend bool operator>=(const hidl_string& a, const hidl_string& b) {
        return a.view() >= b.view();
    }

  private:
    std::string_view view() const { return {c_str(), size_}; }
    void assign(std::string_view text);
    void release();
    void swap(hidl_string& other) noexcept;

    details::hidl_pointer<const char> buffer_;
    uint32_t size_ = 0;
    bool ownsBuffer_ = false;
};

static_assert(sizeof(hidl_string) == 16 && alignof(hidl_string) == 8);

std::ostream& operator<<(std::ostream& out, const hidl_string& text);

}  // namespace android::hardware

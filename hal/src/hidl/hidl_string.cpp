// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/hidl/hidl_string.h>

#include <limits>
#include <memory>
#include <ostream>
#include <utility>

namespace android::hardware {

hidl_string::hidl_string() : buffer_("") {}

hidl_string::hidl_string(const char* text) : hidl_string() {
    if (text != nullptr) {
        assign(text);
    }
}

hidl_string::hidl_string(const char* text, size_t length) : hidl_string() {
    assign({text, length});
}

hidl_string::hidl_string(const std::string& text) : hidl_string() {
    assign(text);
}

hidl_string::hidl_string(const hidl_string& other) : hidl_string() {
    assign(other.view());
}

hidl_string::hidl_string(hidl_string&& other) noexcept : hidl_string() {
    swap(other);
}

hidl_string::~hidl_string() {
    release();
}

hidl_string& hidl_string::operator=(const hidl_string& other) {
    hidl_string(other).swap(*this);
    return *this;
}

hidl_string& hidl_string::operator=(hidl_string&& other) noexcept {
    hidl_string(std::move(other)).swap(*this);
    return *this;
}

hidl_string& hidl_string::operator=(const char* text) {
    hidl_string(text).swap(*this);
    return *this;
}

hidl_string& hidl_string::operator=(const std::string& text) {
    hidl_string(text).swap(*this);
    return *this;
}

void hidl_string::clear() {
    release();
}

void hidl_string::setToExternal(const char* data, size_t size) {
    details::check(size <= std::numeric_limits<uint32_t>::max(),
                   "a hidl_string holds less than 2^32 characters");
    release();
    buffer_ = data;
    size_ = static_cast<uint32_t>(size);
}

void hidl_string::assign(std::string_view text) {
    details::check(text.size() < std::numeric_limits<uint32_t>::max(),
                   "a hidl_string holds less than 2^32 characters");
    if (text.empty()) {
        return;
    }
    auto copy = std::make_unique<char[]>(text.size() + 1);
    text.copy(copy.get(), text.size());
    buffer_ = copy.release();
    size_ = static_cast<uint32_t>(text.size());
    ownsBuffer_ = true;
}

void hidl_string::release() {
    if (ownsBuffer_) {
        std::unique_ptr<const char[]>(static_cast<const char*>(buffer_)).reset();
    }
    buffer_ = "";
    size_ = 0;
    ownsBuffer_ = false;
}

void hidl_string::swap(hidl_string& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(size_, other.size_);
    std::swap(ownsBuffer_, other.ownsBuffer_);
}

std::ostream& operator<<(std::ostream& out, const hidl_string& text) {
    return out << std::string_view(text.c_str(), text.size());
}

}  // namespace android::hardware

// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/hidl/hidl_handle.h>

#include <utility>

namespace android::hardware {

hidl_handle::hidl_handle(const native_handle_t* handle) : handle_(handle) {}

hidl_handle::hidl_handle(const hidl_handle& other) {
    if (other.getNativeHandle() != nullptr) {
        handle_ = native_handle_clone(other.getNativeHandle());
        details::check(getNativeHandle() != nullptr,
                       "a native handle that is copied has descriptors that can be duplicated");
        ownsHandle_ = true;
    }
}

hidl_handle::hidl_handle(hidl_handle&& other) noexcept {
    swap(other);
}

hidl_handle::~hidl_handle() {
    release();
}

hidl_handle& hidl_handle::operator=(const hidl_handle& other) {
    if (this != &other) {
        hidl_handle(other).swap(*this);
    }
    return *this;
}

hidl_handle& hidl_handle::operator=(const native_handle_t* handle) {
    hidl_handle(handle).swap(*this);
    return *this;
}

hidl_handle& hidl_handle::operator=(hidl_handle&& other) noexcept {
    hidl_handle(std::move(other)).swap(*this);
    return *this;
}

void hidl_handle::setTo(native_handle_t* handle, bool shouldOwn) {
    release();
    handle_ = handle;
    ownsHandle_ = shouldOwn;
}

void hidl_handle::release() {
    if (ownsHandle_ && getNativeHandle() != nullptr) {
        native_handle_close(getNativeHandle());
        native_handle_delete(const_cast<native_handle_t*>(getNativeHandle()));
    }
    handle_ = nullptr;
    ownsHandle_ = false;
}

void hidl_handle::swap(hidl_handle& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(ownsHandle_, other.ownsHandle_);
}

}  // namespace android::hardware

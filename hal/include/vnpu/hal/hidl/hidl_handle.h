// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cutils/native_handle.h>
#include <hidl/HidlInternal.h>

#include <cstdint>

namespace android::hardware {

/// A native handle, owned or borrowed. A copy owns duplicates of the file descriptors; the process
/// aborts if a copy fails. The destructor closes and deletes only an owned handle.
class hidl_handle {
  public:
    hidl_handle() = default;
    /// Borrows `handle`: the caller still closes and deletes it.
    hidl_handle(const native_handle_t* handle);
    hidl_handle(const hidl_handle& other);
    hidl_handle(hidl_handle&& other) noexcept;
    ~hidl_handle();

    hidl_handle& operator=(const hidl_handle& other);
    hidl_handle& operator=(const native_handle_t* handle);
    hidl_handle& operator=(hidl_handle&& other) noexcept;

    void setTo(native_handle_t* handle, bool shouldOwn = false);

    const native_handle_t* getNativeHandle() const { return handle_; }
    operator const native_handle_t*() const { return handle_; }
    const native_handle_t* operator->() const { return handle_; }

  private:
    void release();
    void swap(hidl_handle& other) noexcept;

    details::hidl_pointer<const native_handle_t> handle_;
    bool ownsHandle_ = false;
};

static_assert(sizeof(hidl_handle) == 16 && alignof(hidl_handle) == 8);

}  // namespace android::hardware

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/hidl/hidl_handle.h>
#include <vnpu/hal/hidl/hidl_string.h>

#include <cstddef>
#include <cstdint>

namespace android::hardware {

/// An unmapped block of memory: a handle, a size in bytes and a name that determines how to map it.
/// Nothing in it is checked; see vnpu/hal/shared_memory.h.
class hidl_memory {
  public:
    hidl_memory() = default;
    /// Borrows `handle`.
    hidl_memory(const hidl_string& name, const native_handle_t* handle, size_t size);
    hidl_memory(const hidl_string& name, hidl_handle&& handle, size_t size);
    hidl_memory(const hidl_memory& other) = default;
    /// Leaves `other` without a handle and with size 0.
    hidl_memory(hidl_memory&& other) noexcept;
    ~hidl_memory() = default;

    hidl_memory& operator=(const hidl_memory& other);
    hidl_memory& operator=(hidl_memory&& other) noexcept;

    const native_handle_t* handle() const { return handle_; }
    const hidl_string& name() const { return name_; }
    uint64_t size() const { return size_; }
    bool valid() const { return handle() != nullptr; }

  private:
    hidl_handle handle_;
    uint64_t size_ = 0;
    hidl_string name_;
};

static_assert(sizeof(hidl_memory) == 40 && alignof(hidl_memory) == 8);

}  // namespace android::hardware

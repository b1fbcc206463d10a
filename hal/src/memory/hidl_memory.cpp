// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/hidl/hidl_memory.h>

#include <utility>

namespace android::hardware {

hidl_memory::hidl_memory(const hidl_string& name, const native_handle_t* handle, size_t size)
    : handle_(handle), size_(size), name_(name) {}

hidl_memory::hidl_memory(const hidl_string& name, hidl_handle&& handle, size_t size)
    : handle_(std::move(handle)), size_(size), name_(name) {}

hidl_memory::hidl_memory(hidl_memory&& other) noexcept
    : handle_(std::move(other.handle_)),
      size_(std::exchange(other.size_, 0)),
      name_(std::move(other.name_)) {}

hidl_memory& hidl_memory::operator=(const hidl_memory& other) = default;

hidl_memory& hidl_memory::operator=(hidl_memory&& other) noexcept {
    if (this != &other) {
        handle_ = std::move(other.handle_);
        size_ = std::exchange(other.size_, 0);
        name_ = std::move(other.name_);
    }
    return *this;
}

}  // namespace android::hardware

// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <vnpu/hal/duplicate_handle.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "hal/src/failure.h"
#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

using android::base::unique_fd;
using android::hardware::hidl_handle;
using android::hardware::hidl_memory;

template <typename T>
using Result = tl::expected<T, std::string>;

}  // namespace

Result<native_handle_t*> duplicateHandle(const native_handle_t* handle) {
    if (handle == nullptr || handle->numFds < 0 || handle->numInts < 0) {
        return failure("there is no native handle to duplicate");
    }
    std::vector<unique_fd> descriptors;
    for (int i = 0; i < handle->numFds; ++i) {
        descriptors.emplace_back(fcntl(handle->data[i], F_DUPFD_CLOEXEC, 0));
        if (descriptors.back().get() < 0) {
            return failure("fd {} cannot be duplicated: {}", handle->data[i], std::strerror(errno));
        }
    }
    native_handle_t* const copy = native_handle_create(handle->numFds, handle->numInts);
    if (copy == nullptr) {
        return failure("no native handle of {} fds and {} ints could be created", handle->numFds,
                       handle->numInts);
    }
    for (int i = 0; i < handle->numFds; ++i) {
        copy->data[i] = descriptors[static_cast<size_t>(i)].release();
    }
    std::copy_n(&handle->data[handle->numFds], handle->numInts, &copy->data[handle->numFds]);
    return copy;
}

Result<hidl_memory> duplicateMemory(const hidl_memory& memory) {
    VNPU_TRY_ASSIGN(const auto handle, duplicateHandle(memory.handle()));
    hidl_handle owner;
    owner.setTo(handle, true);
    return hidl_memory(memory.name(), std::move(owner), memory.size());
}

}  // namespace vnpu::hal

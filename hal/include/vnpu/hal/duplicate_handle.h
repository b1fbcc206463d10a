// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cutils/native_handle.h>
#include <hidl/HidlSupport.h>

#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

// Copies that report failure. The copies of HIDL's own types abort the process if a descriptor from
// a client is not open or the process is out of descriptors.

/// Duplicates a handle with its descriptors and ints. The caller owns the result.
[[nodiscard]] tl::expected<native_handle_t*, std::string> duplicateHandle(
        const native_handle_t* handle);

/// Copies a memory with a duplicate of its handle.
[[nodiscard]] tl::expected<android::hardware::hidl_memory, std::string> duplicateMemory(
        const android::hardware::hidl_memory& memory);

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cutils/native_handle.h>
#include <hidl/HidlSupport.h>

#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

// Copies that can fail, where those of HIDL's types end the process: descriptors may be foreign,
// and there may be none left.

/// A handle with duplicates of another's descriptors and its ints; who calls owns it.
[[nodiscard]] tl::expected<native_handle_t*, std::string> duplicateHandle(
        const native_handle_t* handle);

/// A memory with a handle of its own.
[[nodiscard]] tl::expected<android::hardware::hidl_memory, std::string> duplicateMemory(
        const android::hardware::hidl_memory& memory);

}  // namespace vnpu::hal

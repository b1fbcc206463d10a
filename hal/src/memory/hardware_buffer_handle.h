// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <vnpu/hal/hardware_buffer.h>

#include <array>
#include <cstdint>
#include <memory>

namespace vnpu::hal {

struct NativeHandleCloser {
    void operator()(native_handle_t* handle) const;
};

/// A native handle that owns its descriptors and memory.
using OwnedHandle = std::unique_ptr<native_handle_t, NativeHandleCloser>;

/// The ints of a hardware buffer's handle, which also has one descriptor:
///   0 kHandleMagic   1 format   2 width   3 height   4 layers   5 stride
///   6, 7 usage       8, 9 size in bytes   10, 11 id (each low half, high half)
using HandleInts = std::array<int, 12>;
constexpr uint32_t kHandleMagic = 0x31424876;  // "vHB1"; changes with the meaning of the ints

/// Creates a handle from one descriptor, which it takes over; null if memory is exhausted.
OwnedHandle makeHandle(android::base::unique_fd fd, const HandleInts& ints);

/// The ints of a buffer whose description includes a stride.
HandleInts encodeInts(const AHardwareBuffer_Desc& desc, uint64_t sizeBytes, uint64_t id);

}  // namespace vnpu::hal

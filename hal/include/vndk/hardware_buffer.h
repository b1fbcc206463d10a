// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the VNDK has of hardware buffers beyond the NDK.

#include <android/hardware_buffer.h>
#include <cutils/native_handle.h>

#ifdef __cplusplus
extern "C" {
#endif

// Values: Android 11, vndk/hardware_buffer.h.
enum CreateFromHandleMethod {
    AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER = 2,
    AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE = 3,
};

/// The handle that shows the buffer to others; it stays the buffer's. Null for null.
const native_handle_t* AHardwareBuffer_getNativeHandle(const AHardwareBuffer* buffer);

/// A buffer, with one reference, of the memory behind a handle from getNativeHandle(), here or in
/// another process. `desc` must agree with the handle in all but usage, and is what describe() then
/// says. REGISTER takes the handle over if it succeeds, CLONE duplicates it. -EINVAL for a null
/// argument, an unknown method, or a handle that is none or does not agree.
int AHardwareBuffer_createFromHandle(const AHardwareBuffer_Desc* desc,
                                     const native_handle_t* handle, int32_t method,
                                     AHardwareBuffer** outBuffer);

enum {
    AHARDWAREBUFFER_FORMAT_B8G8R8A8_UNORM = 5,
    AHARDWAREBUFFER_FORMAT_YCbCr_422_SP = 0x10,
    AHARDWAREBUFFER_FORMAT_YCrCb_420_SP = 0x11,
    AHARDWAREBUFFER_FORMAT_YCbCr_422_I = 0x14,
    AHARDWAREBUFFER_FORMAT_RAW16 = 0x20,
    AHARDWAREBUFFER_FORMAT_IMPLEMENTATION_DEFINED = 0x22,
    AHARDWAREBUFFER_FORMAT_RAW_OPAQUE = 0x24,
    AHARDWAREBUFFER_FORMAT_RAW10 = 0x25,
    AHARDWAREBUFFER_FORMAT_RAW12 = 0x26,
    AHARDWAREBUFFER_FORMAT_Y8 = 0x20203859,
    AHARDWAREBUFFER_FORMAT_Y16 = 0x20363159,
    AHARDWAREBUFFER_FORMAT_YV12 = 0x32315659,
};

enum {
    AHARDWAREBUFFER_USAGE_CAMERA_WRITE = 2UL << 16,
    AHARDWAREBUFFER_USAGE_CAMERA_READ = 4UL << 16,
    AHARDWAREBUFFER_USAGE_CAMERA_MASK = 6UL << 16,
};

#ifdef __cplusplus
}
#endif

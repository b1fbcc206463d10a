// SPDX-License-Identifier: Apache-2.0
#pragma once

// The VNDK's additions to the NDK's hardware buffers.

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

/// The handle for other processes, owned by the buffer. Null for null.
const native_handle_t* AHardwareBuffer_getNativeHandle(const AHardwareBuffer* buffer);

/// Creates a buffer with one reference for the memory of a handle from getNativeHandle() of any
/// process. `desc` must match the handle in all fields but usage; describe() returns it later.
/// REGISTER takes ownership of the handle if it succeeds, CLONE duplicates it. -EINVAL for a null
/// argument, an unknown method, or a handle that is invalid or does not match.
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

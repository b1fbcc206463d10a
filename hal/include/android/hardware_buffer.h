// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NDK's hardware buffers on the host: shared memory with a description. Any thread may call any
// function on any buffer; several processes share one buffer's bytes. C and C++.
//
// Functions that return int return 0 or a negative errno: -EINVAL for an invalid argument, -ENOSYS
// for a valid description that is not supported here.

#include <android/rect.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Values: Android 11, android/hardware_buffer.h.
enum AHardwareBuffer_Format {
    AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM = 1,
    AHARDWAREBUFFER_FORMAT_R8G8B8X8_UNORM = 2,
    AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM = 3,
    AHARDWAREBUFFER_FORMAT_R5G6B5_UNORM = 4,
    AHARDWAREBUFFER_FORMAT_R16G16B16A16_FLOAT = 0x16,
    AHARDWAREBUFFER_FORMAT_BLOB = 0x21,          ///< bytes: height and layers are 1
    AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420 = 0x23,  ///< width and height are even, layers is 1
    AHARDWAREBUFFER_FORMAT_R10G10B10A2_UNORM = 0x2b,
    AHARDWAREBUFFER_FORMAT_D16_UNORM = 0x30,
    AHARDWAREBUFFER_FORMAT_D24_UNORM = 0x31,
    AHARDWAREBUFFER_FORMAT_D24_UNORM_S8_UINT = 0x32,
    AHARDWAREBUFFER_FORMAT_D32_FLOAT = 0x33,
    AHARDWAREBUFFER_FORMAT_D32_FLOAT_S8_UINT = 0x34,
    AHARDWAREBUFFER_FORMAT_S8_UINT = 0x35,
};

enum AHardwareBuffer_UsageFlags {
    AHARDWAREBUFFER_USAGE_CPU_READ_NEVER = 0UL,
    AHARDWAREBUFFER_USAGE_CPU_READ_RARELY = 2UL,
    AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN = 3UL,
    AHARDWAREBUFFER_USAGE_CPU_READ_MASK = 0xFUL,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_NEVER = 0UL << 4,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_RARELY = 2UL << 4,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN = 3UL << 4,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK = 0xFUL << 4,
    AHARDWAREBUFFER_USAGE_GPU_SAMPLED_IMAGE = 1UL << 8,
    AHARDWAREBUFFER_USAGE_GPU_FRAMEBUFFER = 1UL << 9,
    AHARDWAREBUFFER_USAGE_GPU_COLOR_OUTPUT = AHARDWAREBUFFER_USAGE_GPU_FRAMEBUFFER,
    AHARDWAREBUFFER_USAGE_COMPOSER_OVERLAY = 1UL << 11,
    AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT = 1UL << 14,
    AHARDWAREBUFFER_USAGE_VIDEO_ENCODE = 1UL << 16,
    AHARDWAREBUFFER_USAGE_SENSOR_DIRECT_DATA = 1UL << 23,
    AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER = 1UL << 24,
    AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP = 1UL << 25,
    AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE = 1UL << 26,
    AHARDWAREBUFFER_USAGE_VENDOR_0 = 1UL << 28,
    AHARDWAREBUFFER_USAGE_VENDOR_1 = 1UL << 29,
    AHARDWAREBUFFER_USAGE_VENDOR_2 = 1UL << 30,
    AHARDWAREBUFFER_USAGE_VENDOR_3 = 1UL << 31,
    AHARDWAREBUFFER_USAGE_VENDOR_4 = 1UL << 48,
    AHARDWAREBUFFER_USAGE_VENDOR_5 = 1UL << 49,
    AHARDWAREBUFFER_USAGE_VENDOR_6 = 1UL << 50,
    AHARDWAREBUFFER_USAGE_VENDOR_7 = 1UL << 51,
    AHARDWAREBUFFER_USAGE_VENDOR_8 = 1UL << 52,
    AHARDWAREBUFFER_USAGE_VENDOR_9 = 1UL << 53,
    AHARDWAREBUFFER_USAGE_VENDOR_10 = 1UL << 54,
    AHARDWAREBUFFER_USAGE_VENDOR_11 = 1UL << 55,
    AHARDWAREBUFFER_USAGE_VENDOR_12 = 1UL << 56,
    AHARDWAREBUFFER_USAGE_VENDOR_13 = 1UL << 57,
    AHARDWAREBUFFER_USAGE_VENDOR_14 = 1UL << 58,
    AHARDWAREBUFFER_USAGE_VENDOR_15 = 1UL << 59,
    AHARDWAREBUFFER_USAGE_VENDOR_16 = 1UL << 60,
    AHARDWAREBUFFER_USAGE_VENDOR_17 = 1UL << 61,
    AHARDWAREBUFFER_USAGE_VENDOR_18 = 1UL << 62,
    AHARDWAREBUFFER_USAGE_VENDOR_19 = 1UL << 63,
};

typedef struct AHardwareBuffer_Desc {
    uint32_t width;   ///< pixels; of a BLOB, bytes
    uint32_t height;  ///< rows
    uint32_t layers;  ///< images
    uint32_t format;  ///< one of AHardwareBuffer_Format
    uint64_t usage;   ///< of AHardwareBuffer_UsageFlags
    uint32_t stride;  ///< pixels from a row to the next; allocation ignores it
    uint32_t rfu0;    ///< 0
    uint64_t rfu1;    ///< 0
} AHardwareBuffer_Desc;

typedef struct AHardwareBuffer_Plane {
    void* data;            ///< its first byte
    uint32_t pixelStride;  ///< bytes from a pixel's channel to the next pixel's
    uint32_t rowStride;    ///< bytes from a row to the next
} AHardwareBuffer_Plane;

typedef struct AHardwareBuffer_Planes {
    uint32_t planeCount;
    AHardwareBuffer_Plane planes[4];
} AHardwareBuffer_Planes;

typedef struct AHardwareBuffer AHardwareBuffer;

/// A new buffer of zero bytes with one reference. -EINVAL for a description that Android refuses,
/// -ENOSYS for one that isSupported() denies, else the error of creating the memory.
int AHardwareBuffer_allocate(const AHardwareBuffer_Desc* desc, AHardwareBuffer** outBuffer);

/// Adds a reference. Ignores null, as release and describe do.
void AHardwareBuffer_acquire(AHardwareBuffer* buffer);

/// Drops a reference. The last one releases the buffer in this process only.
void AHardwareBuffer_release(AHardwareBuffer* buffer);

void AHardwareBuffer_describe(const AHardwareBuffer* buffer, AHardwareBuffer_Desc* outDesc);

/// Returns the address of the bytes for reading, writing or both, once `fence` (negative: none) is
/// signalled. Closes the fence, except with -EINVAL: a null argument, usage that is zero, is not
/// CPU_* or was not given to allocate, several layers, or a `rect` (null: all) beyond the image.
/// -EBUSY while the buffer is locked for writing, or for reading if the new lock is for writing; a
/// BLOB is never busy. -EIO if `fence` is no fence.
int AHardwareBuffer_lock(AHardwareBuffer* buffer, uint64_t usage, int32_t fence, const ARect* rect,
                         void** outVirtualAddress);

/// Locks likewise and returns one plane, or three (Y, Cb, Cr) for YUV. No planes if it fails.
int AHardwareBuffer_lockPlanes(AHardwareBuffer* buffer, uint64_t usage, int32_t fence,
                               const ARect* rect, AHardwareBuffer_Planes* outPlanes);

/// Locks likewise and returns the bytes of a pixel and of a row: -1 if it fails. YUV fails with
/// -ENOSYS, and the caller then keeps the fence.
int AHardwareBuffer_lockAndGetInfo(AHardwareBuffer* buffer, uint64_t usage, int32_t fence,
                                   const ARect* rect, void** outVirtualAddress,
                                   int32_t* outBytesPerPixel, int32_t* outBytesPerStride);

/// Ends one lock; -EINVAL if there is none. Completes at once: sets `fence`, unless null, to -1.
int AHardwareBuffer_unlock(AHardwareBuffer* buffer, int32_t* fence);

/// Sends the buffer over an AF_UNIX socket.
int AHardwareBuffer_sendHandleToUnixSocket(const AHardwareBuffer* buffer, int socketFd);

/// Receives a buffer that shares the sender's bytes, with one reference. -ENODATA if the sender has
/// closed the socket, -EBADMSG if the message holds no buffer.
int AHardwareBuffer_recvHandleFromUnixSocket(int socketFd, AHardwareBuffer** outBuffer);

/// 1 if such a buffer can be allocated, given enough memory, else 0.
int AHardwareBuffer_isSupported(const AHardwareBuffer_Desc* desc);

/// A number that no other buffer has, and that stays the same in every process (Android 12).
int AHardwareBuffer_getId(const AHardwareBuffer* buffer, uint64_t* outId);

#ifdef __cplusplus
}
#endif

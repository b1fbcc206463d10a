// SPDX-License-Identifier: Apache-2.0
// The functions of the NDK and the VNDK, except those for sockets.
#include <android-base/unique_fd.h>
#include <android/sync.h>
#include <fcntl.h>
#include <hidl/HidlInternal.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <utility>

#include "hal/src/memory/hardware_buffer.h"
#include "hal/src/memory/hardware_buffer_layout.h"

namespace {

constexpr uint64_t kCpuUsage =
        AHARDWAREBUFFER_USAGE_CPU_READ_MASK | AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK;

/// Returns a new buffer to the caller, or logs the reason of the failure.
int returnBuffer(const AHardwareBuffer::Result<AHardwareBuffer*>& created,
                 AHardwareBuffer** outBuffer) {
    if (!created) {
        android::hardware::details::logError("hardware buffer: " + created.error().reason);
        return created.error().code;
    }
    *outBuffer = *created;
    return 0;
}

int refuseLock(const std::string& reason) {
    android::hardware::details::logError("hardware buffer: " + reason);
    return -EINVAL;
}

bool isWithin(const ARect& rect, const AHardwareBuffer_Desc& desc) {
    return rect.left >= 0 && rect.left <= rect.right && int64_t{rect.right} <= desc.width &&
           rect.top >= 0 && rect.top <= rect.bottom && int64_t{rect.bottom} <= desc.height;
}

/// Whether the kind of buffer and its usage permit this lock.
int checkLock(const AHardwareBuffer& buffer, uint64_t usage, const ARect* rect) {
    const uint64_t reading = usage & AHARDWAREBUFFER_USAGE_CPU_READ_MASK;
    const uint64_t writing = usage & AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK;
    if ((usage & ~kCpuUsage) != 0 || usage == 0) {
        return refuseLock("locked with usage that is not of the CPU, or none");
    }
    if ((reading != 0 && (buffer.desc().usage & AHARDWAREBUFFER_USAGE_CPU_READ_MASK) == 0) ||
        (writing != 0 && (buffer.desc().usage & AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK) == 0)) {
        return refuseLock("locked with usage that it was not made for");
    }
    if (buffer.desc().layers != 1) {
        return refuseLock("locked with several layers");
    }
    if (rect != nullptr && !isWithin(*rect, buffer.desc())) {
        return refuseLock("locked beyond its pixels");
    }
    return 0;
}

/// Waits for the fence and performs a lock that checkLock permits.
int waitAndLock(AHardwareBuffer& buffer, uint64_t usage, int32_t fence) {
    const android::base::unique_fd owned(fence < 0 ? -1 : fence);
    if (fence >= 0 && sync_wait(fence, -1) != 0) {
        return -EIO;
    }
    return buffer.beginLock((usage & AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK) != 0);
}

AHardwareBuffer_Planes planesOf(const AHardwareBuffer& buffer) {
    const vnpu::hal::HardwareBufferLayout& layout = buffer.layout();
    AHardwareBuffer_Planes planes{};
    planes.planeCount = 1;
    planes.planes[0] = {buffer.bytes(), layout.bytesPerPixel, layout.strideBytes};
    if (layout.isYuv) {
        std::byte* const chroma =
                buffer.bytes() + uint64_t{buffer.desc().height} * layout.strideBytes;
        planes.planeCount = 3;
        planes.planes[1] = {chroma, 2, layout.strideBytes};
        planes.planes[2] = {chroma + 1, 2, layout.strideBytes};
    }
    return planes;
}

}  // namespace

int AHardwareBuffer_allocate(const AHardwareBuffer_Desc* desc, AHardwareBuffer** outBuffer) {
    if (desc == nullptr || outBuffer == nullptr) {
        return -EINVAL;
    }
    return returnBuffer(AHardwareBuffer::allocate(*desc), outBuffer);
}

void AHardwareBuffer_acquire(AHardwareBuffer* buffer) {
    if (buffer != nullptr) {
        buffer->acquire();
    }
}

void AHardwareBuffer_release(AHardwareBuffer* buffer) {
    if (buffer != nullptr) {
        buffer->release();
    }
}

void AHardwareBuffer_describe(const AHardwareBuffer* buffer, AHardwareBuffer_Desc* outDesc) {
    if (buffer != nullptr && outDesc != nullptr) {
        *outDesc = buffer->desc();
    }
}

int AHardwareBuffer_lock(AHardwareBuffer* buffer, uint64_t usage, int32_t fence, const ARect* rect,
                         void** outVirtualAddress) {
    if (buffer == nullptr || outVirtualAddress == nullptr) {
        return -EINVAL;
    }
    if (const int checked = checkLock(*buffer, usage, rect); checked != 0) {
        return checked;
    }
    const int locked = waitAndLock(*buffer, usage, fence);
    if (locked == 0) {
        *outVirtualAddress = buffer->bytes();
    }
    return locked;
}

int AHardwareBuffer_lockPlanes(AHardwareBuffer* buffer, uint64_t usage, int32_t fence,
                               const ARect* rect, AHardwareBuffer_Planes* outPlanes) {
    if (outPlanes == nullptr) {
        return -EINVAL;
    }
    *outPlanes = {};
    void* address = nullptr;
    const int locked = AHardwareBuffer_lock(buffer, usage, fence, rect, &address);
    if (locked == 0) {
        *outPlanes = planesOf(*buffer);
    }
    return locked;
}

int AHardwareBuffer_lockAndGetInfo(AHardwareBuffer* buffer, uint64_t usage, int32_t fence,
                                   const ARect* rect, void** outVirtualAddress,
                                   int32_t* outBytesPerPixel, int32_t* outBytesPerStride) {
    const auto report = [&](int32_t bytesPerPixel, int32_t bytesPerStride) {
        if (outBytesPerPixel != nullptr) {
            *outBytesPerPixel = bytesPerPixel;
        }
        if (outBytesPerStride != nullptr) {
            *outBytesPerStride = bytesPerStride;
        }
    };
    report(-1, -1);
    if (buffer == nullptr) {
        return -EINVAL;
    }
    const vnpu::hal::HardwareBufferLayout& layout = buffer->layout();
    if (layout.isYuv || layout.strideBytes > std::numeric_limits<int32_t>::max()) {
        return -ENOSYS;
    }
    const int locked = AHardwareBuffer_lock(buffer, usage, fence, rect, outVirtualAddress);
    if (locked == 0) {
        report(static_cast<int32_t>(layout.bytesPerPixel),
               static_cast<int32_t>(layout.strideBytes));
    }
    return locked;
}

int AHardwareBuffer_unlock(AHardwareBuffer* buffer, int32_t* fence) {
    if (fence != nullptr) {
        *fence = -1;
    }
    return buffer == nullptr ? -EINVAL : buffer->endLock();
}

int AHardwareBuffer_isSupported(const AHardwareBuffer_Desc* desc) {
    return desc != nullptr && vnpu::hal::completeDescription(*desc) ? 1 : 0;
}

int AHardwareBuffer_getId(const AHardwareBuffer* buffer, uint64_t* outId) {
    if (buffer == nullptr || outId == nullptr) {
        return -EINVAL;
    }
    *outId = buffer->id();
    return 0;
}

const native_handle_t* AHardwareBuffer_getNativeHandle(const AHardwareBuffer* buffer) {
    return buffer == nullptr ? nullptr : buffer->handle();
}

int AHardwareBuffer_createFromHandle(const AHardwareBuffer_Desc* desc,
                                     const native_handle_t* handle, int32_t method,
                                     AHardwareBuffer** outBuffer) {
    if (desc == nullptr || handle == nullptr || outBuffer == nullptr) {
        return -EINVAL;
    }
    const bool isTakenOver = method == AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER;
    if ((!isTakenOver && method != AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE) ||
        desc->rfu0 != 0 || desc->rfu1 != 0) {
        return -EINVAL;
    }
    if (isTakenOver) {
        vnpu::hal::OwnedHandle taken(const_cast<native_handle_t*>(handle));
        const int result = returnBuffer(AHardwareBuffer::import(taken, desc), outBuffer);
        // A handle that was not taken over stays the caller's; otherwise nothing is left to
        // release.
        (void)taken.release();
        return result;
    }
    const auto info = vnpu::hal::decodeHardwareBuffer(handle);
    if (!info) {
        return returnBuffer(tl::unexpected(info.error()), outBuffer);
    }
    android::base::unique_fd fd(fcntl(info->fd, F_DUPFD_CLOEXEC, 0));
    if (fd.get() < 0) {
        return -errno;
    }
    vnpu::hal::HandleInts ints{};
    std::copy_n(&handle->data[1], ints.size(), ints.begin());
    vnpu::hal::OwnedHandle clone = vnpu::hal::makeHandle(std::move(fd), ints);
    return returnBuffer(AHardwareBuffer::import(clone, desc), outBuffer);
}

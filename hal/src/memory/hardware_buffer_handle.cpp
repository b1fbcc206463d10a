// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/hardware_buffer_handle.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hal/src/memory/hardware_buffer_layout.h"
#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

constexpr int kIntCount = std::tuple_size_v<HandleInts>;

int lowHalf(uint64_t value) {
    return static_cast<int>(static_cast<uint32_t>(value));
}

int highHalf(uint64_t value) {
    return lowHalf(value >> 32);
}

uint64_t joinHalves(const int* halves) {
    return static_cast<uint64_t>(static_cast<uint32_t>(halves[0])) |
           static_cast<uint64_t>(static_cast<uint32_t>(halves[1])) << 32;
}

HardwareBufferResult<void> checkCounts(const native_handle_t* handle) {
    if (handle == nullptr) {
        return bufferFailure(-EINVAL, "there is no handle");
    }
    if (handle->version != static_cast<int>(sizeof(native_handle_t))) {
        return bufferFailure(-EINVAL, "the handle has version {}, expected {}", handle->version,
                             sizeof(native_handle_t));
    }
    if (handle->numFds != 1 || handle->numInts != kIntCount) {
        return bufferFailure(-EINVAL, "the handle has {} fds and {} ints, expected 1 and {}",
                             handle->numFds, handle->numInts, kIntCount);
    }
    const auto magic = static_cast<uint32_t>(handle->data[1]);
    if (magic != kHandleMagic) {
        return bufferFailure(-EINVAL, "the handle starts with {:#x}, expected {:#x}", magic,
                             kHandleMagic);
    }
    return {};
}

/// Whether the memory holds the bytes and can no longer shrink.
HardwareBufferResult<void> checkMemory(int fd, uint64_t sizeBytes) {
    struct stat file {};
    if (fstat(fd, &file) != 0) {
        return bufferFailure(-errno, "fd {} cannot be examined: {}", fd, std::strerror(errno));
    }
    if (!S_ISREG(file.st_mode)) {
        return bufferFailure(-EINVAL, "fd {} is no memory, its mode is {:#o}", fd, file.st_mode);
    }
    // Sealed before its size is read, so that it cannot shrink in between. Without permission to
    // seal, the memory must be sealed already.
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
    const int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
        return bufferFailure(-EPERM, "fd {} may shrink and cannot be kept from it", fd);
    }
    if (fstat(fd, &file) != 0 || static_cast<uint64_t>(file.st_size) < sizeBytes) {
        return bufferFailure(-EINVAL, "fd {} has {} bytes, the buffer {}", fd, file.st_size,
                             sizeBytes);
    }
    return {};
}

}  // namespace

void NativeHandleCloser::operator()(native_handle_t* handle) const {
    native_handle_close(handle);
    native_handle_delete(handle);
}

OwnedHandle makeHandle(android::base::unique_fd fd, const HandleInts& ints) {
    OwnedHandle handle(native_handle_create(1, kIntCount));
    if (handle != nullptr) {
        handle->data[0] = fd.release();
        std::copy(ints.begin(), ints.end(), &handle->data[1]);
    }
    return handle;
}

HandleInts encodeInts(const AHardwareBuffer_Desc& desc, uint64_t sizeBytes, uint64_t id) {
    return {static_cast<int>(kHandleMagic),
            lowHalf(desc.format),
            lowHalf(desc.width),
            lowHalf(desc.height),
            lowHalf(desc.layers),
            lowHalf(desc.stride),
            lowHalf(desc.usage),
            highHalf(desc.usage),
            lowHalf(sizeBytes),
            highHalf(sizeBytes),
            lowHalf(id),
            highHalf(id)};
}

HardwareBufferResult<HardwareBufferInfo> decodeHardwareBuffer(const native_handle_t* handle) {
    VNPU_TRY(checkCounts(handle));
    const int* const ints = &handle->data[1];
    HardwareBufferInfo info;
    info.desc.format = static_cast<uint32_t>(ints[1]);
    info.desc.width = static_cast<uint32_t>(ints[2]);
    info.desc.height = static_cast<uint32_t>(ints[3]);
    info.desc.layers = static_cast<uint32_t>(ints[4]);
    info.desc.stride = static_cast<uint32_t>(ints[5]);
    info.desc.usage = joinHalves(&ints[6]);
    info.id = joinHalves(&ints[10]);
    info.fd = handle->data[0];
    VNPU_TRY(checkDescription(info.desc));
    VNPU_TRY_ASSIGN(const auto layout, layoutOf(info.desc));
    info.layout = layout;
    const uint64_t sizeBytes = joinHalves(&ints[8]);
    if (sizeBytes != layout.sizeBytes()) {
        return bufferFailure(-EINVAL, "the handle has size {}, its description {} bytes", sizeBytes,
                             layout.sizeBytes());
    }
    VNPU_TRY(checkMemory(info.fd, sizeBytes));
    return info;
}

}  // namespace vnpu::hal

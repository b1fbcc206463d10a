// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/hardware_buffer.h"

#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "hal/src/memory/hardware_buffer_layout.h"
#include "hal/src/try.h"

using android::base::unique_fd;
using vnpu::hal::HardwareBufferError;
using vnpu::hal::HardwareBufferInfo;
using vnpu::hal::OwnedHandle;

namespace {

tl::unexpected<HardwareBufferError> systemFailure(const char* what) {
    const int code = errno;
    return tl::unexpected(
            HardwareBufferError{-code, fmt::format("{} failed: {}", what, std::strerror(code))});
}

/// The creating process and a counter, so that no two buffers of a machine have the same id.
uint64_t nextId() {
    static std::atomic<uint32_t> count{0};
    return static_cast<uint64_t>(getpid()) << 32 | count.fetch_add(1, std::memory_order_relaxed);
}

/// Zeroed memory of fixed size that any receiver can map.
tl::expected<unique_fd, HardwareBufferError> createMemory(uint64_t sizeBytes) {
    unique_fd fd(memfd_create("vnpu-hardware-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd.get() < 0) {
        return systemFailure("memfd_create");
    }
    if (ftruncate(fd.get(), static_cast<off_t>(sizeBytes)) != 0) {
        return systemFailure("ftruncate");
    }
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return systemFailure("sealing");
    }
    return fd;
}

bool agree(const AHardwareBuffer_Desc& one, const AHardwareBuffer_Desc& other) {
    return one.width == other.width && one.height == other.height && one.layers == other.layers &&
           one.format == other.format && one.stride == other.stride;
}

}  // namespace

AHardwareBuffer::Result<AHardwareBuffer*> AHardwareBuffer::allocate(
        const AHardwareBuffer_Desc& desc) {
    VNPU_TRY_ASSIGN(auto complete, vnpu::hal::completeDescription(desc));
    const uint64_t sizeBytes = vnpu::hal::layoutOf(complete)->sizeBytes();
    VNPU_TRY_ASSIGN(auto memory, createMemory(sizeBytes));
    OwnedHandle handle = vnpu::hal::makeHandle(
            std::move(memory), vnpu::hal::encodeInts(complete, sizeBytes, nextId()));
    if (handle == nullptr) {
        return tl::unexpected(HardwareBufferError{-ENOMEM, "no memory for a native handle"});
    }
    return import(handle, nullptr);
}

AHardwareBuffer::Result<AHardwareBuffer*> AHardwareBuffer::import(
        OwnedHandle& handle, const AHardwareBuffer_Desc* asked) {
    VNPU_TRY_ASSIGN(auto info, vnpu::hal::decodeHardwareBuffer(handle.get()));
    if (asked != nullptr) {
        if (!agree(*asked, info.desc)) {
            return tl::unexpected(HardwareBufferError{
                    -EINVAL,
                    fmt::format("the handle is of {} x {} x {}, format {:#x}, stride {}, "
                                "not of {} x {} x {}, format {:#x}, stride {}",
                                info.desc.width, info.desc.height, info.desc.layers,
                                info.desc.format, info.desc.stride, asked->width, asked->height,
                                asked->layers, asked->format, asked->stride)});
        }
        info.desc.usage = asked->usage;
        VNPU_TRY(vnpu::hal::checkDescription(info.desc));
    }
    void* const bytes =
            mmap(nullptr, info.layout.sizeBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, info.fd, 0);
    if (bytes == MAP_FAILED) {
        return systemFailure("mapping the buffer");
    }
    return new AHardwareBuffer(std::move(handle), info, static_cast<std::byte*>(bytes));
}

AHardwareBuffer::AHardwareBuffer(OwnedHandle handle, const HardwareBufferInfo& info,
                                 std::byte* bytes)
    : handle_(std::move(handle)), info_(info), bytes_(bytes) {}

AHardwareBuffer::~AHardwareBuffer() {
    munmap(bytes_, info_.layout.sizeBytes());
}

void AHardwareBuffer::release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete this;
    }
}

int AHardwareBuffer::beginLock(bool isForWriting) {
    const std::lock_guard guard(mutex_);
    const bool isBlob = info_.desc.format == AHARDWAREBUFFER_FORMAT_BLOB;
    if (!isBlob && (isLockedForWriting_ || (isForWriting && lockCount_ > 0))) {
        return -EBUSY;
    }
    ++lockCount_;
    isLockedForWriting_ = isForWriting;
    return 0;
}

int AHardwareBuffer::endLock() {
    const std::lock_guard guard(mutex_);
    if (lockCount_ == 0) {
        return -EINVAL;
    }
    --lockCount_;
    isLockedForWriting_ = false;
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/client/pool_memory.h"

#include <android-base/unique_fd.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

using android::hardware::hidl_memory;

namespace {

hidl_memory valueOrThrow(const tl::expected<hidl_memory, std::string>& memory) {
    if (!memory) {
        throw std::runtime_error(fmt::format("pool memory: {}", memory.error()));
    }
    return *memory;
}

/// Memory in the middle of a file, as a client passes a part of a model file.
hidl_memory createFileMemory(std::uint64_t sizeBytes) {
    constexpr std::uint64_t kOffsetBytes =
            4096;  // chosen: not 0, so that a lost offset has an effect
    const android::base::unique_fd file(::memfd_create("vnpu-pool", MFD_CLOEXEC));
    if (file.get() < 0 ||
        ::ftruncate(file.get(), static_cast<off_t>(kOffsetBytes + sizeBytes)) != 0) {
        throw std::runtime_error(fmt::format("pool memory: {}", std::strerror(errno)));
    }
    return valueOrThrow(hal::createFdMemory({.fd = file.get(),
                                             .protection = PROT_READ | PROT_WRITE,
                                             .offsetBytes = kOffsetBytes,
                                             .sizeBytes = sizeBytes}));
}

hidl_memory createBlob(std::uint64_t sizeBytes) {
    if (sizeBytes > std::numeric_limits<std::uint32_t>::max()) {
        throw std::runtime_error(fmt::format(
                "hardware buffer of {} bytes, at most 4 GiB - 1 have a width", sizeBytes));
    }
    AHardwareBuffer_Desc desc{};
    desc.width = static_cast<std::uint32_t>(sizeBytes);
    desc.height = 1;
    desc.layers = 1;
    desc.format = AHARDWAREBUFFER_FORMAT_BLOB;
    desc.usage = AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN;
    AHardwareBuffer* allocated = nullptr;
    if (const int error = AHardwareBuffer_allocate(&desc, &allocated); error != 0) {
        throw std::runtime_error(
                fmt::format("hardware buffer of {} bytes: {}", sizeBytes, std::strerror(-error)));
    }
    const std::unique_ptr<AHardwareBuffer, decltype(&AHardwareBuffer_release)> buffer(
            allocated, &AHardwareBuffer_release);
    const hidl_memory borrowed(nameOf(PoolKind::kHardwareBufferBlob),
                               AHardwareBuffer_getNativeHandle(buffer.get()), sizeBytes);
    return hidl_memory(borrowed);  // the copy has a descriptor of its own
}

}  // namespace

const char* nameOf(PoolKind kind) {
    constexpr const char* kNames[] = {"ashmem", "mmap_fd", "hardware_buffer_blob"};
    return kNames[static_cast<std::size_t>(kind)];
}

hidl_memory createPoolMemory(PoolKind kind, std::uint64_t sizeBytes) {
    if (sizeBytes == 0) {
        throw std::runtime_error("pool memory: size is 0");
    }
    switch (kind) {
        case PoolKind::kMmapFd:
            return createFileMemory(sizeBytes);
        case PoolKind::kHardwareBufferBlob:
            return createBlob(sizeBytes);
        default:
            return valueOrThrow(hal::createSharedMemory(sizeBytes));
    }
}

}  // namespace vnpu::sim

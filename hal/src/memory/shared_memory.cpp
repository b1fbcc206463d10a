// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <hidl/MQDescriptor.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vnpu/hal/shared_memory.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "hal/src/failure.h"
#include "hal/src/memory/sealed_file.h"
#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

using android::base::unique_fd;
using android::hardware::hidl_handle;
using android::hardware::hidl_memory;

template <typename T>
using Result = tl::expected<T, std::string>;

constexpr std::string_view kAshmem = "ashmem";
constexpr std::string_view kMmapFd = "mmap_fd";
constexpr std::string_view kBlob = "hardware_buffer_blob";
constexpr std::string_view kImage = "hardware_buffer";
constexpr size_t kShownCharacters = 64;  // chosen: of an untrusted name in a log line
// source: AOSP NNAPI, native handle of an "mmap_fd" memory: {fd, protection, offset low, offset
// high}
constexpr int kMmapFdInts = 3;

/// The checked contents of a handle that a mapping needs.
struct Source {
    int fd = -1;
    int protection = 0;
    uint64_t offsetBytes = 0;
    uint64_t sizeBytes = 0;
    bool isFile = false;
    std::optional<HardwareBufferLayout> image = std::nullopt;
};

std::string_view errnoText() {
    return std::strerror(errno);
}

/// Creates an owned handle from one descriptor, which it takes over, and some ints.
Result<hidl_handle> makeHandle(unique_fd fd, std::initializer_list<int> ints) {
    native_handle_t* const native = native_handle_create(1, static_cast<int>(ints.size()));
    if (native == nullptr) {
        return failure("no native handle of 1 fd and {} ints could be created", ints.size());
    }
    native->data[0] = fd.release();
    std::copy(ints.begin(), ints.end(), &native->data[1]);
    hidl_handle handle;
    handle.setTo(native, true);
    return handle;
}

Result<void> checkHandle(const hidl_memory& memory, int intCount) {
    const native_handle_t* const handle = memory.handle();
    if (handle == nullptr) {
        return failure("the memory has no handle");
    }
    if (handle->version != static_cast<int>(sizeof(native_handle_t))) {
        return failure("the handle has version {}, expected {}", handle->version,
                       sizeof(native_handle_t));
    }
    if (handle->numFds != 1 || handle->numInts != intCount) {
        return failure("the handle has {} fds and {} ints, expected 1 and {}", handle->numFds,
                       handle->numInts, intCount);
    }
    return {};
}

Result<Source> decodeAshmem(const hidl_memory& memory) {
    VNPU_TRY(checkHandle(memory, 0));
    const int fd = memory.handle()->data[0];
    // Android's ashmem cannot shrink once it is mapped. A seal does the same for a memfd. A plain
    // file does not support seals, so the result is ignored.
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
    return Source{.fd = fd, .protection = PROT_READ | PROT_WRITE, .sizeBytes = memory.size()};
}

Result<Source> decodeMmapFd(const hidl_memory& memory) {
    VNPU_TRY(checkHandle(memory, kMmapFdInts));
    const int* const data = memory.handle()->data;
    const int protection = data[1];
    if (protection == PROT_NONE || (protection & ~(PROT_READ | PROT_WRITE)) != 0) {
        return failure("the protection is {:#x}, expected PROT_READ, PROT_WRITE or both",
                       static_cast<unsigned>(protection));
    }
    const uint64_t offsetBytes = static_cast<uint64_t>(static_cast<uint32_t>(data[2])) |
                                 static_cast<uint64_t>(static_cast<uint32_t>(data[3])) << 32;
    // A writable mapping of a file is also readable, because mmap requires a descriptor for both.
    return Source{.fd = data[0],
                  .protection = protection | PROT_READ,
                  .offsetBytes = offsetBytes,
                  .sizeBytes = memory.size(),
                  .isFile = true};
}

Result<Source> decodeBuffer(const hidl_memory& memory) {
    VNPU_TRY_ASSIGN(const auto info, decodeBufferMemory(memory));
    Source source{.fd = info.fd,
                  .protection = PROT_READ | PROT_WRITE,
                  .sizeBytes = info.layout.sizeBytes()};
    if (info.desc.format != AHARDWAREBUFFER_FORMAT_BLOB) {
        source.image = info.layout;
    }
    return source;
}

Result<Source> decode(const hidl_memory& memory) {
    const std::string name = memory.name();
    if (name == kAshmem) {
        return decodeAshmem(memory);
    }
    if (name == kMmapFd) {
        return decodeMmapFd(memory);
    }
    if (name == kBlob || name == kImage) {
        return decodeBuffer(memory);
    }
    return failure(
            "a memory named \"{}\" cannot be mapped, expected \"{}\", \"{}\", \"{}\" or \"{}\"",
            name.substr(0, kShownCharacters), kAshmem, kMmapFd, kBlob, kImage);
}

/// Whether the file holds all bytes of the pool.
Result<void> checkExtent(const Source& source) {
    if (source.sizeBytes == 0) {
        return failure("the memory has no bytes");
    }
    struct stat file {};
    if (fstat(source.fd, &file) != 0) {
        return failure("fd {} cannot be examined: {}", source.fd, errnoText());
    }
    if (!S_ISREG(file.st_mode)) {
        return failure("fd {} is no file or shared memory, its mode is {:#o}", source.fd,
                       file.st_mode);
    }
    const auto fileBytes = static_cast<uint64_t>(file.st_size);
    if (source.sizeBytes > fileBytes || source.offsetBytes > fileBytes - source.sizeBytes) {
        return failure("{} bytes at offset {} do not fit into the {} bytes of fd {}",
                       source.sizeBytes, source.offsetBytes, fileBytes, source.fd);
    }
    return {};
}

size_t hostPageBytes() {
    return static_cast<size_t>(getpagesize());
}

}  // namespace

Result<hidl_memory> createSharedMemory(uint64_t sizeBytes) {
    VNPU_TRY_ASSIGN(auto fd, createSealedFile("vnpu-ashmem", sizeBytes));
    return makeHandle(std::move(fd), {}).map([&](hidl_handle&& handle) {
        return hidl_memory(std::string(kAshmem), std::move(handle), sizeBytes);
    });
}

Result<hidl_memory> createFdMemory(const FdRegion& region) {
    unique_fd fd(fcntl(region.fd, F_DUPFD_CLOEXEC, 0));
    if (fd.get() < 0) {
        return failure("fd {} cannot be duplicated: {}", region.fd, errnoText());
    }
    const auto offsetLow = static_cast<int>(static_cast<uint32_t>(region.offsetBytes));
    const auto offsetHigh = static_cast<int>(static_cast<uint32_t>(region.offsetBytes >> 32));
    return makeHandle(std::move(fd), {region.protection, offsetLow, offsetHigh})
            .map([&](hidl_handle&& handle) {
                return hidl_memory(std::string(kMmapFd), std::move(handle), region.sizeBytes);
            });
}

Result<HardwareBufferInfo> decodeBufferMemory(const hidl_memory& memory) {
    const bool isImage = memory.name() == std::string(kImage);
    if (!isImage && memory.name() != std::string(kBlob)) {
        return failure("the memory is no hardware buffer");
    }
    auto info = decodeHardwareBuffer(memory.handle());
    if (!info) {
        return tl::unexpected(std::move(info.error().reason));
    }
    if (isImage == (info->desc.format == AHARDWAREBUFFER_FORMAT_BLOB)) {
        return failure("the hardware buffer has format {:#x}, which is for the other kind of pool",
                       info->desc.format);
    }
    // source: AOSP NNAPI 1.3, how a hardware buffer becomes a hidl_memory
    const uint64_t expectedBytes = isImage ? 0 : info->layout.sizeBytes();
    if (memory.size() != expectedBytes) {
        return failure("the memory has size {}, expected {}", memory.size(), expectedBytes);
    }
    return *info;
}

Result<MappedPool> MappedPool::create(const hidl_memory& memory) {
    VNPU_TRY_ASSIGN(const auto source, decode(memory));
    VNPU_TRY(checkExtent(source));
    MappedPool pool;
    pool.file_ =
            android::base::MappedFile::FromFd(source.fd, static_cast<off64_t>(source.offsetBytes),
                                              source.sizeBytes, source.protection);
    if (pool.file_ == nullptr) {
        return failure("fd {} cannot be mapped: {}", source.fd, errnoText());
    }
    pool.isWritable_ = (source.protection & PROT_WRITE) != 0;
    pool.isFile_ = source.isFile;
    pool.image_ = source.image;
    return pool;
}

size_t MappedPool::pageOffset() const {
    return reinterpret_cast<uintptr_t>(data()) % hostPageBytes();
}

size_t MappedPool::mappedBytes() const {
    return android::hardware::details::alignUp(pageOffset() + size(), hostPageBytes());
}

void MappedPool::flush() const {
    if (isFile_ && isWritable_ && file_ != nullptr &&
        msync(pageBase(), mappedBytes(), MS_SYNC) != 0) {
        android::hardware::details::logError(fmt::format("msync failed: {}", errnoText()));
    }
}

}  // namespace vnpu::hal

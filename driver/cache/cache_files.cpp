// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cache_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace vnpu::driver {

using android::hardware::hidl_handle;
using android::hardware::hidl_vec;

namespace {

using Bytes = std::span<const std::byte>;

/// One of the two files.
struct FileKind {
    const char* name;  // in messages
    std::array<char, 8> magic;
    std::uint64_t maxPayloadBytes;
};
constexpr FileKind kModelFile{
        "model cache", {'V', 'N', 'P', 'U', 'M', 'O', 'D', 'L'}, kMaxModelPayloadBytes};
constexpr FileKind kDataFile{
        "data cache", {'V', 'N', 'P', 'U', 'D', 'A', 'T', 'A'}, kMaxDataPayloadBytes};

tl::unexpected<Error> unusable(const FileKind& kind, std::string_view why) {
    return fail(ErrorStatus::GENERAL_FAILURE, fmt::format("{} {}", kind.name, why));
}

tl::unexpected<Error> systemFailure(const FileKind& kind, std::string_view what, int error) {
    return unusable(kind, fmt::format("{}: error {} ({})", what, error, std::strerror(error)));
}

template <typename T>
Bytes bytesOf(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

std::uint64_t totalBytes(std::span<const Bytes> parts) {
    std::uint64_t total = 0;
    for (const Bytes& part : parts) {
        total += part.size();
    }
    return total;
}

/// The identity of a pair of files.
Digest identityOf(const CacheKey& key, Bytes model, std::span<const Bytes> data) {
    Sha256 digest;
    digest.add(bytesOf(kCacheVersion));
    digest.add(bytesOf(key.token));
    digest.add(bytesOf(key.configuration));
    for (const std::span<const Bytes> payload : {std::span<const Bytes>(&model, 1), data}) {
        digest.add(bytesOf(totalBytes(payload)));
        for (const Bytes& part : payload) {
            digest.add(part);
        }
    }
    return digest.finish();
}

Result<int> borrowDescriptor(const hidl_vec<hidl_handle>& handles, std::uint32_t expected,
                             const FileKind& kind) {
    if (handles.size() != expected) {
        return invalidArgument(
                fmt::format("{} has {} handles, expected {}", kind.name, handles.size(), expected));
    }
    const native_handle_t* handle = handles[0].getNativeHandle();
    if (handle == nullptr) {
        return invalidArgument(fmt::format("handle of the {} is null", kind.name));
    }
    if (handle->numFds != 1) {
        return invalidArgument(fmt::format("handle of the {} has {} descriptors, expected 1",
                                           kind.name, handle->numFds));
    }
    return handle->data[0];
}

/// Size of a regular file. Anything else (a pipe, a device) could keep the driver waiting.
Result<std::uint64_t> regularFileBytes(int fd, const FileKind& kind) {
    struct stat status {};
    if (fstat(fd, &status) != 0) {
        return systemFailure(kind, "cannot be examined", errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return unusable(kind, fmt::format("is of mode {:#o}, expected a regular file",
                                          static_cast<unsigned>(status.st_mode)));
    }
    return static_cast<std::uint64_t>(status.st_size);
}

/// Empties a file that can be written and read back.
Result<void> empty(int fd, const FileKind& kind) {
    VNPU_TRY(regularFileBytes(fd, kind));
    const int flags = fcntl(fd, F_GETFL);
    if (flags < 0) {
        return systemFailure(kind, "cannot be examined", errno);
    }
    if ((flags & O_ACCMODE) != O_RDWR) {
        return unusable(kind, "is not open for reading and writing");
    }
    if (ftruncate(fd, 0) != 0) {
        return systemFailure(kind, "cannot be emptied", errno);
    }
    return {};
}

Result<void> writeAll(int fd, Bytes bytes, std::uint64_t& offset, const FileKind& kind) {
    while (!bytes.empty()) {
        const ssize_t count = TEMP_FAILURE_RETRY(
                pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset)));
        if (count <= 0) {
            return systemFailure(kind, fmt::format("cannot be written at byte {}", offset),
                                 count < 0 ? errno : ENOSPC);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<void> writeFile(int fd, const CacheFileHeader& header, std::span<const Bytes> payload,
                       const FileKind& kind) {
    std::uint64_t offset = 0;
    VNPU_TRY(writeAll(fd, bytesOf(header), offset, kind));
    for (const Bytes& part : payload) {
        VNPU_TRY(writeAll(fd, part, offset, kind));
    }
    return {};
}

/// Fills `bytes`.
Result<void> readAll(int fd, std::span<std::byte> bytes, std::uint64_t offset,
                     const FileKind& kind) {
    while (!bytes.empty()) {
        const ssize_t count = TEMP_FAILURE_RETRY(
                pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset)));
        if (count < 0) {
            return systemFailure(kind, "cannot be read", errno);
        }
        if (count == 0) {
            return unusable(kind, fmt::format("ends at byte {} while it is read", offset));
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<void> checkHeader(const CacheFileHeader& header, const CacheKey& key,
                         std::uint64_t fileBytes, const FileKind& kind) {
    if (header.magic != kind.magic) {
        return unusable(kind, "is not a file of that kind");
    }
    if (header.version != kCacheVersion || header.headerBytes != sizeof(header)) {
        return unusable(kind, fmt::format("is of version {} with a header of {} bytes, expected {} "
                                          "with {}",
                                          header.version, header.headerBytes, kCacheVersion,
                                          sizeof(header)));
    }
    if (header.token != key.token) {
        return unusable(kind, "has another token");
    }
    if (header.configuration != key.configuration) {
        return unusable(kind, "comes from another device configuration or driver version");
    }
    if (header.payloadBytes != fileBytes - sizeof(header)) {
        return unusable(kind, fmt::format("holds {} bytes of payload, its header says {}",
                                          fileBytes - sizeof(header), header.payloadBytes));
    }
    if (header.payloadBytes > kind.maxPayloadBytes) {
        return unusable(kind, fmt::format("has {} bytes of payload, expected up to {}",
                                          header.payloadBytes, kind.maxPayloadBytes));
    }
    return {};
}

/// One file's header and payload. The header's identity is yet to be checked.
struct ReadFile {
    CacheFileHeader header;
    std::vector<std::byte> payload;
};

Result<ReadFile> readFile(int fd, const CacheKey& key, const FileKind& kind) {
    VNPU_TRY_ASSIGN(const auto fileBytes, regularFileBytes(fd, kind));
    if (fileBytes < sizeof(CacheFileHeader)) {
        return unusable(kind, fmt::format("has {} bytes, expected at least {}", fileBytes,
                                          sizeof(CacheFileHeader)));
    }
    ReadFile file;
    VNPU_TRY(readAll(fd, std::as_writable_bytes(std::span(&file.header, 1)), 0, kind));
    VNPU_TRY(checkHeader(file.header, key, fileBytes, kind));
    try {
        file.payload.resize(file.header.payloadBytes);
    } catch (const std::bad_alloc&) {
        return unusable(kind, fmt::format("is too large for the host's memory: {} bytes",
                                          file.header.payloadBytes));
    }
    VNPU_TRY(readAll(fd, file.payload, sizeof(file.header), kind));
    return file;
}

Result<void> writeBoth(const CacheDescriptors& files, const CacheKey& key,
                       const CachePayloads& payloads) {
    const Bytes model = payloads.model;
    const std::uint64_t dataBytes = totalBytes(payloads.data);
    if (model.size() > kMaxModelPayloadBytes || dataBytes > kMaxDataPayloadBytes) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("model of {} and constants of {} bytes are too large for a cache",
                                model.size(), dataBytes));
    }
    CacheFileHeader header{.magic = kDataFile.magic,
                           .version = kCacheVersion,
                           .headerBytes = sizeof(CacheFileHeader),
                           .token = key.token,
                           .configuration = key.configuration,
                           .identity = identityOf(key, model, payloads.data),
                           .payloadBytes = dataBytes};
    VNPU_TRY(writeFile(files.data, header, payloads.data, kDataFile));
    header.magic = kModelFile.magic;
    header.payloadBytes = model.size();
    return writeFile(files.model, header, std::span(&model, 1), kModelFile);
}

}  // namespace

Result<CacheDescriptors> borrowDescriptors(const hidl_vec<hidl_handle>& modelCache,
                                           const hidl_vec<hidl_handle>& dataCache) {
    VNPU_TRY_ASSIGN(auto model, borrowDescriptor(modelCache, kModelCacheFiles, kModelFile));
    VNPU_TRY_ASSIGN(auto data, borrowDescriptor(dataCache, kDataCacheFiles, kDataFile));
    return CacheDescriptors{.model = model, .data = data};
}

Result<void> invalidateCacheFiles(const CacheDescriptors& files) {
    const Result<void> model = empty(files.model, kModelFile);
    const Result<void> data = empty(files.data, kDataFile);
    return model ? data : model;
}

Result<void> writeCacheFiles(const CacheDescriptors& files, const CacheKey& key,
                             const CachePayloads& payloads) {
    // Both first, so that no file of an earlier compilation is left.
    VNPU_TRY(invalidateCacheFiles(files));
    Result<void> written = writeBoth(files, key, payloads);
    if (!written) {
        static_cast<void>(invalidateCacheFiles(files));
    }
    return written;
}

Result<CacheContents> readCacheFiles(const CacheDescriptors& files, const CacheKey& key) {
    VNPU_TRY_ASSIGN(auto model, readFile(files.model, key, kModelFile));
    VNPU_TRY_ASSIGN(auto data, readFile(files.data, key, kDataFile));
    const Bytes parts[] = {data.payload};
    const Digest digest = identityOf(key, model.payload, parts);
    if (model.header.identity != digest || data.header.identity != digest) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    "model cache and data cache are damaged or do not belong together");
    }
    return CacheContents{.model = std::move(model.payload), .data = std::move(data.payload)};
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/cache/sha256.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The result of getNumberOfCacheFilesNeeded. The model cache holds the commands and the model's
/// structure, the data cache the model's constants.
inline constexpr std::uint32_t kModelCacheFiles = 1;
inline constexpr std::uint32_t kDataCacheFiles = 1;

/// Raised with every change of the layout of the files or their payloads (cached_model.cpp).
inline constexpr std::uint32_t kCacheVersion = 4;

/// Largest payloads. chosen: bounds for the memory that a foreign file can make the driver take
inline constexpr std::uint64_t kMaxModelPayloadBytes = 1ULL << 30;
inline constexpr std::uint64_t kMaxDataPayloadBytes = 2ULL << 30;

/// The start of either file. Every byte is either compared with what it must be or covered by the
/// digest. The payload follows and ends with the file.
struct CacheFileHeader {
    std::array<char, 8> magic{};
    std::uint32_t version = 0;      // kCacheVersion
    std::uint32_t headerBytes = 0;  // sizeof(CacheFileHeader)
    std::array<std::uint8_t, 32> token{};
    Digest configuration{};  // cache_configuration.h
    Digest identity{};       // SHA-256 of version, token, configuration, and both payloads with
                             // their lengths; the same in both files
    std::uint64_t payloadBytes = 0;
};
static_assert(sizeof(CacheFileHeader) == 120);
static_assert(offsetof(CacheFileHeader, token) == 16);
static_assert(offsetof(CacheFileHeader, configuration) == 48);
static_assert(offsetof(CacheFileHeader, identity) == 80);
static_assert(offsetof(CacheFileHeader, payloadBytes) == 112);

/// Identifies a cache: the client's token, and everything that the compilation depends on.
struct CacheKey {
    std::array<std::uint8_t, 32> token{};
    Digest configuration{};
};

/// The two files of a cache, opened by the client. Not owned.
struct CacheDescriptors {
    int model = -1;
    int data = -1;
};

/// The descriptors in a call's handles; INVALID_ARGUMENT unless there is one handle of one
/// descriptor for each file. The descriptors themselves are not checked.
Result<CacheDescriptors> borrowDescriptors(
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& modelCache,
        const android::hardware::hidl_vec<android::hardware::hidl_handle>& dataCache);

/// The contents to write; the parts of the data follow one another in the file.
struct CachePayloads {
    std::vector<std::byte> model;
    std::vector<std::span<const std::byte>> data;
};

/// Empties both files if they can be written. GENERAL_FAILURE unless both are now empty regular
/// files that are open for reading and writing.
Result<void> invalidateCacheFiles(const CacheDescriptors& files);

/// Writes both files from their beginning, whatever their contents and offsets. After a failure
/// (GENERAL_FAILURE) no file that could be written holds a valid cache.
Result<void> writeCacheFiles(const CacheDescriptors& files, const CacheKey& key,
                             const CachePayloads& payloads);

struct CacheContents {
    std::vector<std::byte> model;
    std::vector<std::byte> data;
};

/// Reads both files once, from their beginning. GENERAL_FAILURE with the reason unless one call of
/// writeCacheFiles with this key wrote every bit of them.
Result<CacheContents> readCacheFiles(const CacheDescriptors& files, const CacheKey& key);

}  // namespace vnpu::driver

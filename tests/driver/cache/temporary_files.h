// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/cache/cache_files.h"

namespace vnpu::driver::test {

/// A descriptor that is closed at the end of its scope.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }

  private:
    const int fd_;
};

/// A file on disk, gone at the end of its scope.
class TemporaryFile {
  public:
    TemporaryFile();
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Open for reading and writing.
    int fd() const { return fd_; }
    /// Another descriptor of the same file, with flags of open(2).
    int open(int flags) const;

    std::vector<std::byte> read() const;
    void write(const std::vector<std::byte>& bytes) const;

  private:
    std::string path_;
    int fd_ = -1;
};

/// The two files of a cache.
struct CacheFilePair {
    CacheDescriptors descriptors() const { return {.model = model.fd(), .data = data.fd()}; }
    std::uint64_t sizeBytes() const { return model.read().size() + data.read().size(); }

    TemporaryFile model;
    TemporaryFile data;
};

/// Handles that own duplicates of the descriptors: `fdsOfHandle[i]` of them in handle i. No
/// descriptors: an empty handle. {-2} stands for a missing handle.
android::hardware::hidl_vec<android::hardware::hidl_handle> handlesOf(
        const std::vector<std::vector<int>>& fdsOfHandle);

/// How many descriptors the process has open.
int openDescriptors();

}  // namespace vnpu::driver::test

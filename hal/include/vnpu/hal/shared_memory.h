// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/mapped_file.h>
#include <hidl/HidlSupport.h>
#include <vnpu/hal/hardware_buffer.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// Allocates a zeroed memory of fixed size, named "ashmem". Fails for size 0.
[[nodiscard]] tl::expected<android::hardware::hidl_memory, std::string> createSharedMemory(
        uint64_t sizeBytes);

/// The part of a file that an "mmap_fd" memory refers to.
struct FdRegion {
    int fd = -1;               ///< borrowed; the memory holds a duplicate
    int protection = 0;        ///< PROT_READ and PROT_WRITE
    uint64_t offsetBytes = 0;  ///< any value, not necessarily aligned
    uint64_t sizeBytes = 0;
};

/// Creates a memory named "mmap_fd". Checks only that the descriptor is open; mapping checks the
/// rest.
[[nodiscard]] tl::expected<android::hardware::hidl_memory, std::string> createFdMemory(
        const FdRegion& region);

/// Reads a memory named "hardware_buffer_blob" or "hardware_buffer" and checks its name, size and
/// handle against each other. The size of the memory is that of the blob, or 0 for a
/// "hardware_buffer", whose handle holds the size.
[[nodiscard]] tl::expected<HardwareBufferInfo, std::string> decodeBufferMemory(
        const android::hardware::hidl_memory& memory);

/// A memory pool mapped into this process until destruction and shared with other processes. Any
/// thread may call the accessors; the bytes are not locked, because other processes write them. The
/// mapping outlives the hidl_memory that it was made from.
class MappedPool {
  public:
    /// Maps an "ashmem", a "hardware_buffer_blob" or a "hardware_buffer" for reading and writing,
    /// or an "mmap_fd" with the protection of its handle. The memory is untrusted, so the counts of
    /// descriptors and ints, the protection bits, and offset and size against the file are all
    /// checked (decodeBufferMemory() for hardware buffers); the reason of a failure names the
    /// faulty value. An "ashmem" is sealed against shrinking if the file allows it. Access to a
    /// plain file that shrinks later raises SIGBUS.
    [[nodiscard]] static tl::expected<MappedPool, std::string> create(
            const android::hardware::hidl_memory& memory);

    /// The first byte of the pool.
    std::byte* data() const { return reinterpret_cast<std::byte*>(file_->data()); }
    /// The size of the pool in bytes.
    size_t size() const { return file_->size(); }
    bool writable() const { return isWritable_; }
    /// The layout of a "hardware_buffer"; nothing for the other kinds, which are plain bytes.
    const std::optional<HardwareBufferLayout>& image() const { return image_; }

    /// The start of the page that holds data(), a multiple of the host's page size.
    std::byte* pageBase() const { return data() - pageOffset(); }
    /// data() - pageBase(), in bytes.
    size_t pageOffset() const;
    /// Mapped bytes from pageBase() on, whole pages of the host. The file may end within the last
    /// page; the bytes after its end read as zero.
    size_t mappedBytes() const;

    /// Writes the changes of an "mmap_fd" pool back to its file; does nothing for the other kinds.
    void flush() const;

  private:
    MappedPool() = default;

    std::unique_ptr<android::base::MappedFile> file_;  // null after a move
    bool isWritable_ = false;
    bool isFile_ = false;
    std::optional<HardwareBufferLayout> image_;
};

}  // namespace vnpu::hal

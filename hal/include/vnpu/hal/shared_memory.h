// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>
#include <vnpu/hal/hardware_buffer.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// A new block of zero bytes, named "ashmem", whose size nobody can change. Fails for size 0.
[[nodiscard]] tl::expected<android::hardware::hidl_memory, std::string> createSharedMemory(
        uint64_t sizeBytes);

/// Part of a file that an "mmap_fd" memory shows.
struct FdRegion {
    int fd = -1;               ///< stays the caller's; the memory holds a duplicate
    int protection = 0;        ///< PROT_READ and PROT_WRITE
    uint64_t offsetBytes = 0;  ///< any, aligned or not
    uint64_t sizeBytes = 0;
};

/// A memory named "mmap_fd". Checks no more than that the descriptor is open: mapping checks the
/// rest.
[[nodiscard]] tl::expected<android::hardware::hidl_memory, std::string> createFdMemory(
        const FdRegion& region);

/// What a memory named "hardware_buffer_blob" or "hardware_buffer" shows, with name, size and
/// handle checked against each other. The size of a blob's memory is that of the blob, of a
/// "hardware_buffer" it is 0: only the handle tells it.
[[nodiscard]] tl::expected<HardwareBufferInfo, std::string> decodeBufferMemory(
        const android::hardware::hidl_memory& memory);

/// A memory pool mapped into this process, shared with whoever else maps it, until destruction.
/// Any thread may read the accessors; the bytes have no lock, as other processes write them.
/// The mapping outlives the hidl_memory that it was made from.
class MappedPool {
  public:
    /// Maps an "ashmem", a "hardware_buffer_blob" or a "hardware_buffer" (read and write), or an
    /// "mmap_fd" (as its handle says). The reason of a failure names the value at fault. The memory
    /// is foreign, so all of it is checked: count of descriptors and ints, protection bits, offset
    /// and size against the file; for hardware buffers see decodeBufferMemory().
    /// An "ashmem" is sealed against shrinking where the file allows; a plain file that shrinks
    /// later makes access to it a SIGBUS.
    [[nodiscard]] static tl::expected<MappedPool, std::string> create(
            const android::hardware::hidl_memory& memory);

    MappedPool(MappedPool&& other) noexcept;
    MappedPool& operator=(MappedPool&& other) noexcept;
    MappedPool(const MappedPool&) = delete;
    MappedPool& operator=(const MappedPool&) = delete;
    ~MappedPool();

    /// First byte of the pool.
    std::byte* data() const { return pageBase_ + pageOffset_; }
    /// Bytes of the pool.
    size_t size() const { return size_; }
    bool writable() const { return isWritable_; }
    /// How the bytes of a "hardware_buffer" lie; nothing for the other kinds, which are plain
    /// bytes.
    const std::optional<HardwareBufferLayout>& image() const { return image_; }

    /// First byte of the page that holds data(): a multiple of the host's page size.
    std::byte* pageBase() const { return pageBase_; }
    /// data() - pageBase(), in bytes.
    size_t pageOffset() const { return pageOffset_; }
    /// Bytes mapped from pageBase(), whole pages of the host. The file may end within the last one;
    /// the bytes behind its end read as zero.
    size_t mappedBytes() const { return mappedBytes_; }

    /// Writes changes of an "mmap_fd" pool back to its file; nothing to do for the others.
    void flush() const;

  private:
    MappedPool() = default;

    std::byte* pageBase_ = nullptr;
    size_t pageOffset_ = 0;
    size_t size_ = 0;
    size_t mappedBytes_ = 0;
    bool isWritable_ = false;
    bool isFile_ = false;
    std::optional<HardwareBufferLayout> image_;
};

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/result.h"

namespace vnpu::sim {

/// The raw node of the kernel driver (driver/linux): registers, interrupts, and memory that the
/// device reaches. Any thread; the caller frees blocks once.
class RawDevice {
  public:
    /// Throws InputError if the node cannot be opened.
    explicit RawDevice(const std::string& path);
    ~RawDevice();
    RawDevice(const RawDevice&) = delete;
    RawDevice& operator=(const RawDevice&) = delete;

    std::uint32_t read32(std::uint32_t offset) const;
    void write32(std::uint32_t offset, std::uint32_t value);

    struct Block {
        std::uint32_t handle = 0;
        std::byte* host = nullptr;         // of an allocated block
        std::vector<std::uint64_t> pages;  // bus address of each page
    };
    driver::Result<Block> allocate(std::uint64_t sizeBytes, bool isContiguous);
    /// Pins memory of this process; read-only memory is pinned for reading.
    driver::Result<Block> pin(void* memory, std::uint64_t sizeBytes);
    void free(const Block& block);

    /// Waits for an interrupt; false once stop() was called, or the device is gone.
    bool waitForInterrupt();
    /// Lets a level-triggered interrupt through again.
    void enableInterrupt();
    void stop();

  private:
    int file_ = -1;
    int stopEvent_ = -1;
    volatile std::uint32_t* registers_ = nullptr;
    std::uint64_t registerBytes_ = 0;
};

}  // namespace vnpu::sim

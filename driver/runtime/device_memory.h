// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "driver/runtime/context.h"

namespace vnpu::driver {

/// Device memory that one context reaches and the host can fill. The context outlives it.
class DeviceMemory {
  public:
    /// `isWritable` is for the device; the host always writes. RESOURCE_EXHAUSTED_PERSISTENT for
    /// what an idle device could not give either, else _TRANSIENT if there is not as much.
    static Result<DeviceMemory> create(Context& context, std::uint64_t sizeBytes, bool isWritable);

    std::span<std::byte> bytes() const { return memory_.bytes(); }
    /// Virtual address in the context.
    std::uint64_t address() const { return pages_.address(); }

  private:
    DeviceMemory(DmaAllocation memory, AddressMapping pages)
        : memory_(std::move(memory)), pages_(std::move(pages)) {}

    DmaAllocation memory_;
    AddressMapping pages_;  // ends before memory_
};

}  // namespace vnpu::driver

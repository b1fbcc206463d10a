// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "driver/api/observer.h"
#include "driver/control/dma_memory.h"
#include "driver/memory/bus_pages.h"
#include "driver/memory/context.h"
#include "driver/memory/on_chip_memory.h"

namespace vnpu::driver {

/// Device memory that one context reaches and the host can fill. The context outlives it.
class DeviceMemory {
  public:
    /// `isWritable` is for the device; the host always writes. RESOURCE_EXHAUSTED_PERSISTENT if the
    /// size exceeds an idle device or the user's limit, _TRANSIENT if too little is left.
    static Result<DeviceMemory> create(Context& context, std::uint64_t sizeBytes, bool isWritable);

    /// The same in the device's on-chip memory, writable by both sides.
    /// RESOURCE_EXHAUSTED_TRANSIENT if too little is left. The on-chip memory outlives the result.
    static Result<DeviceMemory> createOnChip(Context& context, OnChipMemory& onChip,
                                             std::uint64_t sizeBytes);

    std::span<std::byte> bytes() const {
        return std::visit([](const auto& memory) { return memory.bytes(); }, memory_);
    }
    MemoryPlace place() const {
        return std::holds_alternative<OnChipAllocation>(memory_) ? MemoryPlace::kOnChip
                                                                 : MemoryPlace::kDeviceDram;
    }
    BusPages busPages() const {
        return std::visit(
                [](const auto& memory) {
                    return BusPages{memory.bytes(), memory.busAddress()};
                },
                memory_);
    }
    /// Virtual address in the context.
    std::uint64_t address() const { return pages_.address(); }

  private:
    using Memory = std::variant<DmaAllocation, OnChipAllocation>;

    DeviceMemory(UserClaim claim, Memory memory, AddressMapping pages)
        : claim_(std::move(claim)), memory_(std::move(memory)), pages_(std::move(pages)) {}

    UserClaim claim_;
    Memory memory_;
    AddressMapping pages_;  // ends before memory_
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/shared_memory.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "driver/api/driver_counters.h"
#include "driver/control/dma_memory.h"
#include "driver/memory/address_space.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Where pools are mapped.
struct PoolTarget {
    DevicePort& port;
    LiveCounters& counters;
    AddressSpace& space;
};

/// A client's pool, used in place: its pages are mapped into this process, for the device's bus,
/// and into one context. Any thread.
/// A hardware buffer whose rows have gaps between them is no tensor as it lies: the device gets a
/// packed copy of its own, made when it is mapped and copied back by flush(). Of an image that is
/// too large for copying there is none.
class PoolMapping {
  public:
    enum class Use { kConstants, kRequest };

    /// The device may write to a pool of a request if that pool may be written at all, and never to
    /// constants. GENERAL_FAILURE for memory that cannot be mapped, and for constants in a hardware
    /// buffer that is no BLOB; nothing is left behind then.
    static Result<std::shared_ptr<const PoolMapping>> create(
            const PoolTarget& target, const android::hardware::hidl_memory& memory, Use use);

    /// What the device reaches: of a hardware buffer with gaps, the packed copy.
    std::span<const std::byte> bytes() const { return {pool_.data(), pool_.size()}; }
    bool isWritable() const { return pool_.writable(); }

    /// Virtual address of the pool's first byte.
    std::uint64_t address() const { return pages_.address() + pool_.pageOffset(); }

    /// Writes what the device wrote back to a file behind the pool, or to the hardware buffer that
    /// it has a copy of.
    void flush() const;

  private:
    PoolMapping(LiveCounters& counters, std::optional<hal::MappedPool> image, hal::MappedPool pool,
                DmaMapping dma, AddressMapping pages);

    LiveCounters& counters_;
    const CountedLife life_;
    const std::optional<hal::MappedPool> image_;  // with gaps; pool_ is its packed copy
    const hal::MappedPool pool_;
    const DmaMapping dma_;        // ends before pool_
    const AddressMapping pages_;  // ends before dma_
};

/// Maps a pool into this process alone, for as long as the result lives. GENERAL_FAILURE as by
/// PoolMapping::create().
Result<hal::MappedPool> mapIntoProcess(const android::hardware::hidl_memory& memory,
                                       PoolMapping::Use use);

}  // namespace vnpu::driver

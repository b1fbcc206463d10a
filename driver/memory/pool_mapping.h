// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/shared_memory.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "driver/compiler/ir/compile_options.h"
#include "driver/control/dma_memory.h"
#include "driver/control/environment.h"
#include "driver/memory/address_space.h"
#include "driver/memory/bus_pages.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The place where pools are mapped.
struct PoolTarget {
    const Environment& environment;
    AddressSpace& space;
};

/// A client's pool, used in place: its pages are mapped into this process, for the device's bus,
/// and into one context. Any thread.
class PoolMapping {
  public:
    enum class Use { kConstants, kRequest };

    /// The device may write to a writable pool of a request, and never to constants.
    /// GENERAL_FAILURE for memory that cannot be mapped, and for constants in a hardware buffer
    /// that is no BLOB; nothing is left behind then.
    static Result<std::shared_ptr<const PoolMapping>> create(
            const PoolTarget& target, const android::hardware::hidl_memory& memory, Use use);

    /// The bytes that the device reaches.
    std::span<const std::byte> bytes() const { return {pool_.data(), pool_.size()}; }
    bool isWritable() const { return pool_.writable(); }

    /// The rows of an image with gaps between them.
    std::optional<ImageRows> rows() const;
    /// Size of the operand that fills the pool: without the gaps.
    std::uint64_t operandBytes() const;

    /// Virtual address of the pool's first byte.
    std::uint64_t address() const { return pages_.address() + pool_.pageOffset(); }

    /// The pages that hold the pool.
    BusPages busPages() const {
        return {{pool_.pageBase(), pool_.mappedBytes()}, dma_.busAddress()};
    }
    /// Where the pool begins in them.
    std::uint64_t pageOffset() const { return pool_.pageOffset(); }

    /// Writes the device's results back to the file behind the pool.
    void flush() const { pool_.flush(); }

  private:
    PoolMapping(const Environment& environment, hal::MappedPool pool, DmaMapping dma,
                AddressMapping pages);

    const CountedLife life_;
    const hal::MappedPool pool_;
    const DmaMapping dma_;        // ends before pool_
    const AddressMapping pages_;  // ends before dma_
};

/// Maps a pool into this process alone, for as long as the result lives. GENERAL_FAILURE as by
/// PoolMapping::create().
Result<hal::MappedPool> mapIntoProcess(const android::hardware::hidl_memory& memory,
                                       PoolMapping::Use use);

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/client/pool_memory.h"
#include "sim/models/operand_types.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

/// A pool that holds the inputs or the outputs of requests, one after the other.
class RequestPool {
  public:
    /// Room for one argument per size, each at a multiple of `alignment`; a size of 0 has no room.
    /// The pool has at least one byte. Throws std::runtime_error if there is no memory.
    static RequestPool create(std::span<const std::uint64_t> sizes, std::uint32_t alignment,
                              PoolKind kind = PoolKind::kAshmem);

    /// A pool for a single argument.
    static RequestPool createSingle(std::uint64_t sizeBytes, PoolKind kind = PoolKind::kAshmem) {
        return create({&sizeBytes, 1}, 1, kind);
    }

    std::span<std::byte> bytes() const { return {pool_.data(), pool_.size()}; }
    std::span<std::byte> argument(std::size_t index) const {
        return {pool_.data() + locations_[index].offset, locations_[index].length};
    }
    /// The location of argument `index` if this is pool `poolIndex` of the request.
    nn10::RequestArgument requestArgument(std::size_t index, std::uint32_t poolIndex) const;
    const android::hardware::hidl_memory& memory() const { return memory_; }

  private:
    RequestPool(android::hardware::hidl_memory memory, hal::MappedPool pool,
                std::vector<nn10::DataLocation> locations)
        : memory_(std::move(memory)), pool_(std::move(pool)), locations_(std::move(locations)) {}

    android::hardware::hidl_memory memory_;
    hal::MappedPool pool_;
    std::vector<nn10::DataLocation> locations_;
};

/// Adds a pool to a request: memory, or a buffer's token. Returns its index.
std::uint32_t appendPool(nn::Request& request, const android::hardware::hidl_memory& memory);
std::uint32_t appendPool(nn::Request& request, std::uint32_t token);

/// A request with all inputs in pool 0 and all outputs in pool 1.
nn::Request makeRequest(const RequestPool& inputs, std::size_t inputCount,
                        const RequestPool& outputs, std::size_t outputCount);

}  // namespace vnpu::sim

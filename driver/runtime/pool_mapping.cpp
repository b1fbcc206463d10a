// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/pool_mapping.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

namespace {

constexpr const char* kMappableNames[] = {"ashmem", "mmap_fd"};

Result<void> checkName(const android::hardware::hidl_memory& memory) {
    for (const char* name : kMappableNames) {
        if (memory.name() == name) {
            return {};
        }
    }
    return fail(ErrorStatus::GENERAL_FAILURE,
                fmt::format("memory of kind \"{}\" cannot be mapped, expected ashmem or mmap_fd",
                            std::string(memory.name()).substr(0, 64)));
}

}  // namespace

Result<std::shared_ptr<const PoolMapping>> PoolMapping::create(
        const PoolTarget& target, const android::hardware::hidl_memory& memory, Use use) {
    VNPU_TRY(checkName(memory));
    auto pool = hal::MappedPool::create(memory);
    if (!pool) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("memory pool cannot be mapped: {}", pool.error()));
    }
    if (pool->mappedBytes() % hw::kPageBytes != 0) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("{} mapped bytes are not whole pages of the device",
                                pool->mappedBytes()));
    }
    auto dma = DmaMapping::create(target.port, pool->pageBase(), pool->mappedBytes());
    if (!dma) {
        return tl::unexpected(std::move(dma.error()));
    }
    auto pages = AddressMapping::create(target.space, dma->busAddress(), dma->sizeBytes(),
                                        use == Use::kRequest && pool->writable());
    if (!pages) {
        return tl::unexpected(std::move(pages.error()));
    }
    return std::shared_ptr<const PoolMapping>(
            new PoolMapping(target.counters, std::move(*pool), std::move(*dma), std::move(*pages)));
}

PoolMapping::PoolMapping(LiveCounters& counters, hal::MappedPool pool, DmaMapping dma,
                         AddressMapping pages)
    : life_(counters.livePoolMappings),
      pool_(std::move(pool)),
      dma_(std::move(dma)),
      pages_(std::move(pages)) {}

}  // namespace vnpu::driver

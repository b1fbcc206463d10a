// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/pool_mapping.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

namespace {

tl::unexpected<Error> mappingFailure(std::string_view reason) {
    return fail(ErrorStatus::GENERAL_FAILURE,
                fmt::format("memory pool cannot be mapped: {}", reason));
}

}  // namespace

Result<hal::MappedPool> mapIntoProcess(const android::hardware::hidl_memory& memory,
                                       PoolMapping::Use use) {
    auto pool = hal::MappedPool::create(memory);
    if (!pool) {
        return mappingFailure(pool.error());
    }
    if (use == PoolMapping::Use::kConstants && pool->image()) {
        return mappingFailure("constants cannot be in a hardware buffer that is no BLOB");
    }
    return std::move(*pool);
}

Result<std::shared_ptr<const PoolMapping>> PoolMapping::create(
        const PoolTarget& target, const android::hardware::hidl_memory& memory, Use use) {
    VNPU_TRY_ASSIGN(auto pool, mapIntoProcess(memory, use));
    if (pool.mappedBytes() % hw::kPageBytes != 0) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("{} mapped bytes are not whole pages of the device",
                                pool.mappedBytes()));
    }
    VNPU_TRY_ASSIGN(auto dma, DmaMapping::create(target.environment.port, pool.pageBase(),
                                                 pool.mappedBytes()));
    VNPU_TRY_ASSIGN(auto pages,
                    AddressMapping::create(target.space, dma.busAddress(), dma.sizeBytes(),
                                           use == Use::kRequest && pool.writable()));
    return std::shared_ptr<const PoolMapping>(
            new PoolMapping(target.environment, std::move(pool), std::move(dma), std::move(pages)));
}

PoolMapping::PoolMapping(const Environment& environment, hal::MappedPool pool, DmaMapping dma,
                         AddressMapping pages)
    : life_(environment.counters.livePoolMappings),
      pool_(std::move(pool)),
      dma_(std::move(dma)),
      pages_(std::move(pages)) {}

std::optional<ImageRows> PoolMapping::rows() const {
    const auto& image = pool_.image();
    if (!image || image->isPacked()) {
        return std::nullopt;
    }
    return ImageRows{image->rowBytes, image->strideBytes, image->rowCount};
}

std::uint64_t PoolMapping::operandBytes() const {
    return pool_.image() ? pool_.image()->packedBytes() : pool_.size();
}

}  // namespace vnpu::driver

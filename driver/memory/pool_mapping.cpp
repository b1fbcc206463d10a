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

/// chosen: an image of 8K (7680 x 4320) with eight bytes a pixel
constexpr std::uint64_t kMostCopiedBytes = std::uint64_t{256} << 20;

tl::expected<hal::MappedPool, std::string> createPackedCopy(const hal::MappedPool& image) {
    const hal::HardwareBufferLayout& layout = *image.image();
    if (layout.packedBytes() > kMostCopiedBytes) {
        return tl::unexpected(
                fmt::format("an image of {} bytes with gaps between its rows, expected at most {}",
                            layout.packedBytes(), kMostCopiedBytes));
    }
    VNPU_TRY_ASSIGN(const auto memory, hal::createSharedMemory(layout.packedBytes()));
    auto packed = hal::MappedPool::create(memory);
    if (packed) {
        hal::copyRows(layout, packed->data(), layout.rowBytes, image.data(), layout.strideBytes);
    }
    return packed;
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
    std::optional<hal::MappedPool> image;
    if (pool.image() && !pool.image()->isPacked()) {
        image = std::move(pool);
        auto packed = createPackedCopy(*image);
        if (!packed) {
            return mappingFailure(packed.error());
        }
        pool = std::move(*packed);
        target.environment.countHostCopy(pool.size());
    }
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
    return std::shared_ptr<const PoolMapping>(new PoolMapping(target.environment, std::move(image),
                                                              std::move(pool), std::move(dma),
                                                              std::move(pages)));
}

PoolMapping::PoolMapping(const Environment& environment, std::optional<hal::MappedPool> image,
                         hal::MappedPool pool, DmaMapping dma, AddressMapping pages)
    : environment_(environment),
      life_(environment.counters.livePoolMappings),
      image_(std::move(image)),
      pool_(std::move(pool)),
      dma_(std::move(dma)),
      pages_(std::move(pages)) {}

void PoolMapping::flush() const {
    if (!image_) {
        pool_.flush();
        return;
    }
    const hal::HardwareBufferLayout& layout = *image_->image();
    hal::copyRows(layout, image_->data(), layout.strideBytes, pool_.data(), layout.rowBytes);
    environment_.countHostCopy(pool_.size());
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/device_memory.h"

#include <fmt/format.h>

#include <utility>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

Result<DeviceMemory> DeviceMemory::create(Context& context, std::uint64_t sizeBytes,
                                          bool isWritable) {
    VNPU_TRY(context.addressSpace().budget().check(sizeBytes, sizeBytes));
    auto claim = context.share().claimMemory(roundUp(sizeBytes, hw::kPageBytes));
    if (!claim) {
        return tl::unexpected(std::move(claim.error()));
    }
    auto memory = DmaAllocation::create(context.port(), context.counters(), sizeBytes);
    if (!memory) {
        return tl::unexpected(std::move(memory.error()));
    }
    auto pages = AddressMapping::create(context.addressSpace(), memory->busAddress(),
                                        memory->sizeBytes(), isWritable);
    if (!pages) {
        return tl::unexpected(std::move(pages.error()));
    }
    return DeviceMemory(std::move(*claim), std::move(*memory), std::move(*pages));
}

Result<DeviceMemory> DeviceMemory::createOnChip(Context& context, OnChipMemory& onChip,
                                                std::uint64_t sizeBytes) {
    auto claim = context.share().claimMemory(roundUp(sizeBytes, hw::kPageBytes));
    if (!claim) {
        return tl::unexpected(std::move(claim.error()));
    }
    auto memory = onChip.allocate(sizeBytes);
    if (!memory) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                    fmt::format("no room for {} bytes on chip", sizeBytes));
    }
    auto pages = AddressMapping::create(context.addressSpace(), memory->busAddress(),
                                        memory->sizeBytes(), true);
    if (!pages) {
        return tl::unexpected(std::move(pages.error()));
    }
    return DeviceMemory(std::move(*claim), std::move(*memory), std::move(*pages));
}

}  // namespace vnpu::driver

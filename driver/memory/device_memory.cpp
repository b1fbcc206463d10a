// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/device_memory.h"

#include <fmt/format.h>

#include <utility>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

Result<DeviceMemory> DeviceMemory::create(Context& context, std::uint64_t sizeBytes,
                                          bool isWritable) {
    VNPU_TRY(context.addressSpace().budget().check(sizeBytes, sizeBytes));
    VNPU_TRY_ASSIGN(auto claim,
                    context.share().claimMemory(hw::roundUp(sizeBytes, hw::kPageBytes)));
    VNPU_TRY_ASSIGN(auto memory, DmaAllocation::create(context.environment().port,
                                                       context.environment().counters, sizeBytes));
    VNPU_TRY_ASSIGN(auto pages, AddressMapping::create(context.addressSpace(), memory.busAddress(),
                                                       memory.sizeBytes(), isWritable));
    return DeviceMemory(std::move(claim), std::move(memory), std::move(pages));
}

Result<DeviceMemory> DeviceMemory::createOnChip(Context& context, OnChipMemory& onChip,
                                                std::uint64_t sizeBytes) {
    VNPU_TRY_ASSIGN(auto claim,
                    context.share().claimMemory(hw::roundUp(sizeBytes, hw::kPageBytes)));
    auto memory = onChip.allocate(sizeBytes);
    if (!memory) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                    fmt::format("no room for {} bytes on chip", sizeBytes));
    }
    VNPU_TRY_ASSIGN(auto pages, AddressMapping::create(context.addressSpace(), memory->busAddress(),
                                                       memory->sizeBytes(), true));
    return DeviceMemory(std::move(claim), std::move(*memory), std::move(pages));
}

}  // namespace vnpu::driver

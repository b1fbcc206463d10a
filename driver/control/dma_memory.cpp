// SPDX-License-Identifier: Apache-2.0
#include "driver/control/dma_memory.h"

#include <fmt/format.h>

#include <limits>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

Result<DmaAllocation> DmaAllocation::create(DevicePort& port, LiveCounters& counters,
                                            std::uint64_t sizeBytes) {
    if (sizeBytes == 0 || sizeBytes > std::numeric_limits<std::uint64_t>::max() - hw::kPageBytes) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("device memory of {} bytes cannot exist", sizeBytes));
    }
    VNPU_TRY_ASSIGN(auto buffer, port.allocateDma(hw::roundUp(sizeBytes, hw::kPageBytes)));
    counters.dmaBytes += buffer.sizeBytes;
    return DmaAllocation({&port, &counters, buffer});
}

void DmaAllocation::Free::operator()(std::byte* /*memory*/) const {
    port->freeDma(buffer);
    counters->dmaBytes -= buffer.sizeBytes;
}

Result<DmaMapping> DmaMapping::create(DevicePort& port, void* pages, std::uint64_t sizeBytes) {
    VNPU_TRY_ASSIGN(auto busAddress, port.mapDma(pages, sizeBytes));
    return DmaMapping(port, {busAddress, sizeBytes});
}

}  // namespace vnpu::driver

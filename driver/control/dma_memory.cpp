// SPDX-License-Identifier: Apache-2.0
#include "driver/control/dma_memory.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {

Result<DmaAllocation> DmaAllocation::create(DevicePort& port, LiveCounters& counters,
                                            std::uint64_t sizeBytes) {
    if (sizeBytes == 0 || sizeBytes > std::numeric_limits<std::uint64_t>::max() - hw::kPageBytes) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("device memory of {} bytes cannot exist", sizeBytes));
    }
    VNPU_TRY_ASSIGN(auto buffer, port.allocateDma(roundUp(sizeBytes, hw::kPageBytes)));
    counters.dmaBytes += buffer.sizeBytes;
    return DmaAllocation(port, counters, buffer);
}

DmaAllocation::DmaAllocation(DmaAllocation&& other) noexcept
    : port_(std::exchange(other.port_, nullptr)),
      counters_(other.counters_),
      buffer_(other.buffer_) {}

DmaAllocation& DmaAllocation::operator=(DmaAllocation&& other) noexcept {
    if (this != &other) {
        release();
        port_ = std::exchange(other.port_, nullptr);
        counters_ = other.counters_;
        buffer_ = other.buffer_;
    }
    return *this;
}

DmaAllocation::~DmaAllocation() {
    release();
}

void DmaAllocation::release() {
    if (port_ != nullptr) {
        port_->freeDma(buffer_);
        counters_->dmaBytes -= buffer_.sizeBytes;
        port_ = nullptr;
    }
}

Result<DmaMapping> DmaMapping::create(DevicePort& port, void* pages, std::uint64_t sizeBytes) {
    VNPU_TRY_ASSIGN(auto busAddress, port.mapDma(pages, sizeBytes));
    return DmaMapping(port, busAddress, sizeBytes);
}

DmaMapping::DmaMapping(DmaMapping&& other) noexcept
    : port_(std::exchange(other.port_, nullptr)),
      busAddress_(other.busAddress_),
      sizeBytes_(other.sizeBytes_) {}

DmaMapping& DmaMapping::operator=(DmaMapping&& other) noexcept {
    if (this != &other) {
        release();
        port_ = std::exchange(other.port_, nullptr);
        busAddress_ = other.busAddress_;
        sizeBytes_ = other.sizeBytes_;
    }
    return *this;
}

DmaMapping::~DmaMapping() {
    release();
}

void DmaMapping::release() {
    if (port_ != nullptr) {
        port_->unmapDma(busAddress_, sizeBytes_);
        port_ = nullptr;
    }
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/device_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "driver/validation/operand_types.h"

namespace vnpu::driver {

Result<std::shared_ptr<DeviceBuffer>> DeviceBuffer::create(Device device, BufferPlan plan) {
    std::shared_ptr<DeviceBuffer> buffer(new DeviceBuffer(std::move(device), std::move(plan)));
    if (buffer->plan_.isShapeKnown()) {
        VNPU_TRY(buffer->beginWrite(buffer->plan_.dimensions));
        buffer->endWrite(false);
    }
    return buffer;
}

DeviceBuffer::DeviceBuffer(Device device, BufferPlan plan)
    : device_(std::move(device)), plan_(std::move(plan)) {}

Result<DeviceBuffer::Contents> DeviceBuffer::beginRead() {
    const MutexLock guard(mutex_);
    if (!isInitialized_) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    isBeingWritten_ ? "buffer is being written" : "buffer is uninitialized");
    }
    ++readers_;
    return contents_;
}

void DeviceBuffer::endRead() {
    const MutexLock guard(mutex_);
    --readers_;
}

Result<DeviceBuffer::Contents> DeviceBuffer::beginWrite(const Dimensions& dimensions) {
    VNPU_TRY_ASSIGN(const auto sizeBytes, neededBytes(dimensions));
    {
        const MutexLock guard(mutex_);
        if (isBeingWritten_ || readers_ != 0) {
            return fail(ErrorStatus::GENERAL_FAILURE,
                        fmt::format("buffer is in use: {} readers, {} writer", readers_,
                                    isBeingWritten_ ? "a" : "no"));
        }
        isBeingWritten_ = true;
        isInitialized_ = false;
    }
    auto memory = reserve(sizeBytes);
    if (!memory) {
        endWrite(false);
        return tl::unexpected(std::move(memory.error()));
    }
    const MutexLock guard(mutex_);
    contents_.memory = std::move(*memory);
    contents_.dimensions = plan_.isScalar ? Dimensions{} : dimensions;
    contents_.sizeBytes = sizeBytes;
    return contents_;
}

void DeviceBuffer::endWrite(bool isInitialized) {
    const MutexLock guard(mutex_);
    isBeingWritten_ = false;
    isInitialized_ = isInitialized;
}

void DeviceBuffer::invalidate() {
    const MutexLock guard(mutex_);
    isInitialized_ = false;
}

Result<std::uint64_t> DeviceBuffer::neededBytes(const Dimensions& dimensions) const {
    if (!plan_.isScalar) {
        if (auto combined = combineDimensions(plan_.dimensions, dimensions); !combined) {
            return fail(ErrorStatus::GENERAL_FAILURE,
                        fmt::format("buffer was allocated for another shape: {}",
                                    combined.error().reason));
        }
    }
    const auto sizeBytes = sizeOfData(plan_.type, dimensions);
    const bool isEmpty = std::ranges::find(dimensions, 0U) != dimensions.end();
    if (!sizeBytes && isEmpty) {
        return 0;  // contents without elements
    }
    if (!sizeBytes) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    fmt::format("buffer of {} cannot exist", fmt::join(dimensions, "x")));
    }
    return *sizeBytes;
}

Result<std::shared_ptr<const DeviceMemory>> DeviceBuffer::reserve(std::uint64_t sizeBytes) {
    std::shared_ptr<const DeviceMemory> memory;
    {
        const MutexLock guard(mutex_);
        memory = std::exchange(contents_.memory, nullptr);
    }
    if (memory != nullptr && memory->bytes().size() >= sizeBytes) {
        return memory;
    }
    sizeBytes = std::max<std::uint64_t>(sizeBytes, 1);  // a valid address
    memory.reset();  // before the new, so that both need not fit at once; waits for the firmware
    VNPU_TRY_ASSIGN(auto taken, takeMemory(sizeBytes));
    device_.environment->log.event(
            &DriverObserver::onBufferPlaced,
            BufferPlacement{
                    .uid = plan_.context->uid(), .sizeBytes = sizeBytes, .place = taken.place()});
    return std::make_shared<const DeviceMemory>(std::move(taken));
}

Result<DeviceMemory> DeviceBuffer::takeMemory(std::uint64_t sizeBytes) const {
    OnChipMemory& onChip = device_.onChip;
    if (plan_.deservesOnChip(sizeBytes, onChip.sizeBytes())) {
        if (auto taken = DeviceMemory::createOnChip(*plan_.context, onChip, sizeBytes)) {
            return taken;
        }
    }
    return DeviceMemory::create(*plan_.context, sizeBytes, true);
}

Result<std::uint32_t> BufferTable::add(const std::shared_ptr<DeviceBuffer>& buffer) {
    const MutexLock guard(mutex_);
    if (lastToken_ == std::numeric_limits<std::uint32_t>::max()) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    "all tokens of memory domains have been used");
    }
    buffers_[++lastToken_] = buffer;
    return lastToken_;
}

void BufferTable::remove(std::uint32_t token) {
    const MutexLock guard(mutex_);
    buffers_.erase(token);
}

std::shared_ptr<DeviceBuffer> BufferTable::find(std::uint32_t token) const {
    const MutexLock guard(mutex_);
    const auto found = buffers_.find(token);
    return found == buffers_.end() ? nullptr : found->second.lock();
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/device_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/execution/device_runtime.h"

namespace vnpu::driver {

Result<std::shared_ptr<DeviceBuffer>> DeviceBuffer::create(std::shared_ptr<DeviceRuntime> runtime,
                                                           BufferPlan plan) {
    std::shared_ptr<DeviceBuffer> buffer(new DeviceBuffer(std::move(runtime), std::move(plan)));
    if (buffer->plan_.isShapeKnown()) {
        if (auto memory = buffer->beginWrite(buffer->plan_.dimensions); !memory) {
            return tl::unexpected(std::move(memory.error()));
        }
        buffer->endWrite(false);
    }
    return buffer;
}

DeviceBuffer::DeviceBuffer(std::shared_ptr<DeviceRuntime> runtime, BufferPlan plan)
    : runtime_(std::move(runtime)), plan_(std::move(plan)) {}

DeviceBuffer::~DeviceBuffer() = default;

Result<DeviceBuffer::Contents> DeviceBuffer::beginRead() {
    const std::lock_guard guard(mutex_);
    if (!isInitialized_) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    isBeingWritten_ ? "buffer is being written" : "buffer is uninitialised");
    }
    ++readers_;
    return contents_;
}

void DeviceBuffer::endRead() {
    const std::lock_guard guard(mutex_);
    --readers_;
}

Result<DeviceBuffer::Contents> DeviceBuffer::beginWrite(const Dimensions& dimensions) {
    const auto sizeBytes = neededBytes(dimensions);
    if (!sizeBytes) {
        return tl::unexpected(sizeBytes.error());
    }
    {
        const std::lock_guard guard(mutex_);
        if (isBeingWritten_ || readers_ != 0) {
            return fail(ErrorStatus::GENERAL_FAILURE,
                        fmt::format("buffer is in use: {} readers, {} writer", readers_,
                                    isBeingWritten_ ? "a" : "no"));
        }
        isBeingWritten_ = true;
        isInitialized_ = false;
    }
    auto memory = reserve(*sizeBytes);
    if (!memory) {
        endWrite(false);
        return tl::unexpected(std::move(memory.error()));
    }
    const std::lock_guard guard(mutex_);
    contents_.memory = std::move(*memory);
    contents_.dimensions = plan_.isScalar ? Dimensions{} : dimensions;
    contents_.sizeBytes = *sizeBytes;
    return contents_;
}

void DeviceBuffer::endWrite(bool isInitialized) {
    const std::lock_guard guard(mutex_);
    isBeingWritten_ = false;
    isInitialized_ = isInitialized;
}

void DeviceBuffer::invalidate() {
    const std::lock_guard guard(mutex_);
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
    const auto sizeBytes = plan_.sizeBytes(dimensions);
    const bool isEmpty = !dimensions.empty() &&
                         std::find(dimensions.begin(), dimensions.end(), 0U) != dimensions.end();
    if (!sizeBytes && isEmpty) {
        return 0;  // contents without elements, known as such by now
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
        const std::lock_guard guard(mutex_);
        memory = std::exchange(contents_.memory, nullptr);
    }
    if (memory != nullptr && memory->bytes().size() >= sizeBytes) {
        return memory;
    }
    sizeBytes = std::max<std::uint64_t>(sizeBytes, 1);  // somewhere to point to
    memory.reset();  // first, so that old and new need not fit together; waits for the firmware
    auto taken = takeMemory(sizeBytes);
    if (!taken) {
        return tl::unexpected(std::move(taken.error()));
    }
    const DriverLog& log = runtime_->log();
    if (log.observer() != nullptr) {
        log.observer()->onBufferPlaced(
                log.now(),
                {.uid = plan_.context->uid(), .sizeBytes = sizeBytes, .place = taken->place()});
    }
    return std::make_shared<const DeviceMemory>(std::move(*taken));
}

Result<DeviceMemory> DeviceBuffer::takeMemory(std::uint64_t sizeBytes) const {
    OnChipMemory& onChip = runtime_->onChip();
    if (plan_.deservesOnChip(sizeBytes, onChip.sizeBytes())) {
        if (auto taken = DeviceMemory::createOnChip(*plan_.context, onChip, sizeBytes)) {
            return taken;
        }
    }
    return DeviceMemory::create(*plan_.context, sizeBytes, true);
}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "driver/control/environment.h"
#include "driver/execution/buffer_plan.h"
#include "driver/memory/device_memory.h"
#include "driver/memory/on_chip_memory.h"
#include "driver/port/mutex.h"
#include "driver/result.h"

namespace vnpu::driver {

/// A buffer of a memory domain: memory of the device for one caller's context, and the state of its
/// contents. Any number of readers or one writer at a time; other uses are refused without waiting.
/// Any thread but the interrupt thread; the destructor waits for the firmware.
///
///               beginWrite                 endWrite(true)
/// uninitialized ──────────► being written ───────────────► initialized ◄──► being read
///       ▲ ▲                      │ endWrite(false)            │   │
///       │ └──────────────────────┘                 invalidate │   │ beginWrite
///       └─────────────────────────────────────────────────────┘   └──► being written
///
/// A buffer of open shape gets memory when the first writer knows its size. Growth takes new
/// memory, shrinking keeps the old. New memory is on chip if the plan allows it and there is room,
/// otherwise in the device's DRAM.
class DeviceBuffer {
  public:
    /// The access of a reader or writer until endRead() or endWrite().
    struct Contents {
        std::shared_ptr<const DeviceMemory> memory;
        Dimensions dimensions;  // all known; empty: a scalar
        std::uint64_t sizeBytes = 0;
    };

    /// The device that the buffer belongs to.
    struct Device {
        std::shared_ptr<const Environment> environment;  // keeps its owner alive, onChip too
        OnChipMemory& onChip;
    };

    /// Takes the memory if the shape is known. RESOURCE_EXHAUSTED_* if too little is left.
    static Result<std::shared_ptr<DeviceBuffer>> create(Device device, BufferPlan plan);
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    const BufferPlan& plan() const { return plan_; }

    /// GENERAL_FAILURE if there are no contents or they are being written.
    Result<Contents> beginRead();
    void endRead();

    /// Makes room for contents of this shape; the old contents are lost. GENERAL_FAILURE if the
    /// buffer is in use or was allocated for another shape; RESOURCE_EXHAUSTED_* if it cannot grow.
    /// After a failure endWrite() must not be called.
    Result<Contents> beginWrite(const Dimensions& dimensions);
    void endWrite(bool isInitialized);

    /// Makes the contents unusable, as a failed execution does with its outputs. A present writer
    /// continues.
    void invalidate();

  private:
    DeviceBuffer(Device device, BufferPlan plan);
    Result<std::uint64_t> neededBytes(const Dimensions& dimensions) const;
    Result<std::shared_ptr<const DeviceMemory>> reserve(std::uint64_t sizeBytes);
    Result<DeviceMemory> takeMemory(std::uint64_t sizeBytes) const;

    const Device device_;  // outlives the context
    const BufferPlan plan_;
    Mutex mutex_ VNPU_LOCK_RANK(80);
    Contents contents_ VNPU_GUARDED_BY(mutex_);  // only the writer replaces its memory
    bool isInitialized_ VNPU_GUARDED_BY(mutex_) = false;
    bool isBeingWritten_ VNPU_GUARDED_BY(mutex_) = false;
    std::uint32_t readers_ VNPU_GUARDED_BY(mutex_) = 0;
};

/// The buffers of memory domains by token. A token is never reused. Any thread.
class BufferTable {
  public:
    /// A token above 0. RESOURCE_EXHAUSTED_PERSISTENT when all tokens have been used.
    Result<std::uint32_t> add(const std::shared_ptr<DeviceBuffer>& buffer);
    /// Removes a token; executions may still use its buffer.
    void remove(std::uint32_t token);
    /// The buffer behind a token; null if there is none.
    std::shared_ptr<DeviceBuffer> find(std::uint32_t token) const;

  private:
    mutable Mutex mutex_ VNPU_LOCK_RANK(80);
    std::map<std::uint32_t, std::weak_ptr<DeviceBuffer>> buffers_ VNPU_GUARDED_BY(mutex_);
    std::uint32_t lastToken_ VNPU_GUARDED_BY(mutex_) = 0;
};

}  // namespace vnpu::driver

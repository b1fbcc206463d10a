// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "driver/execution/buffer_plan.h"
#include "driver/memory/device_memory.h"
#include "driver/result.h"

namespace vnpu::driver {

class DeviceRuntime;

/// A buffer of a memory domain: memory of the device for one caller's context, and the state of its
/// contents. Any number of readers or one writer at a time; who comes at the wrong time is refused,
/// nobody waits. Any thread but the interrupt thread; the end waits for the firmware.
///
///               beginWrite                 endWrite(true)
/// uninitialised ──────────► being written ───────────────► initialised ◄──► being read
///       ▲ ▲                      │ endWrite(false)            │   │
///       │ └──────────────────────┘                 invalidate │   │ beginWrite
///       └─────────────────────────────────────────────────────┘   └──► being written
///
/// A shape that is open at allocation gets memory when the first writer knows its size. Growth
/// takes new memory, shrinking keeps what there is. New memory is on chip if the buffer deserves it
/// and there is room, else in the device's DRAM.
class DeviceBuffer {
  public:
    /// What a reader or writer has until it ends.
    struct Contents {
        std::shared_ptr<const DeviceMemory> memory;
        Dimensions dimensions;  // all known; empty: a scalar
        std::uint64_t sizeBytes = 0;
    };

    /// Takes the memory if the shape is known. RESOURCE_EXHAUSTED_* if there is not as much.
    static Result<std::shared_ptr<DeviceBuffer>> create(std::shared_ptr<DeviceRuntime> runtime,
                                                        BufferPlan plan);
    ~DeviceBuffer();
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    const BufferPlan& plan() const { return plan_; }

    /// GENERAL_FAILURE if there are no contents, or they are being written.
    Result<Contents> beginRead();
    void endRead();

    /// Makes room for contents of this shape; the old ones are lost. GENERAL_FAILURE if somebody
    /// reads or writes the buffer, or if it was allocated for another shape; RESOURCE_EXHAUSTED_*
    /// if it cannot grow as much. On failure there is nothing to end.
    Result<Contents> beginWrite(const Dimensions& dimensions);
    void endWrite(bool isInitialized);

    /// Makes the contents unusable, as a failed use as an output does. Writers under way go on.
    void invalidate();

  private:
    DeviceBuffer(std::shared_ptr<DeviceRuntime> runtime, BufferPlan plan);
    Result<std::uint64_t> neededBytes(const Dimensions& dimensions) const;
    Result<std::shared_ptr<const DeviceMemory>> reserve(std::uint64_t sizeBytes);
    Result<DeviceMemory> takeMemory(std::uint64_t sizeBytes) const;

    const std::shared_ptr<DeviceRuntime> runtime_;  // outlives the context
    const BufferPlan plan_;
    std::mutex mutex_;   // guards what follows; rank 80
    Contents contents_;  // its memory, while being written, is the writer's alone to replace
    bool isInitialized_ = false;
    bool isBeingWritten_ = false;
    std::uint32_t readers_ = 0;
};

}  // namespace vnpu::driver

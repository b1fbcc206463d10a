// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware_buffer.h>
#include <hidl/HidlSupport.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sim/ndk/base/result.h"
#include "sim/ndk/memory/memory_roles.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim::ndk {

/// Is notified when a memory ends: a burst, which shares the memory with a service. Any thread.
class MemoryUser {
  public:
    virtual ~MemoryUser() = default;
    virtual void forget(std::uint64_t memoryId) = 0;
};

/// A memory of the interface: bytes of the host, mapped into this process, or a buffer in a
/// device's own memory. Any thread; the bytes are not locked.
class Memory {
  public:
    using SharedMemory = std::shared_ptr<Memory>;

    /// A part of a file. Duplicates the descriptor.
    static Result<SharedMemory> ofFile(const hal::FdRegion& region);
    /// Keeps a reference to the buffer.
    static Result<SharedMemory> ofHardwareBuffer(const AHardwareBuffer& buffer);
    /// New zeroed memory. `roles` is null if it may be used for anything.
    static Result<SharedMemory> ofHost(std::uint64_t sizeBytes,
                                       std::unique_ptr<MemoryRoles> roles = nullptr);
    static SharedMemory ofDevice(
            const android::sp<android::hardware::neuralnetworks::V1_3::IBuffer>& buffer,
            std::uint32_t token, std::unique_ptr<MemoryRoles> roles);

    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Different for all memories of the process, ended ones included.
    std::uint64_t id() const { return id_; }
    /// Of a host memory. An image counts without the gaps between its rows.
    std::uint64_t sizeBytes() const;
    /// The first byte; null for a device's buffer.
    std::byte* bytes() const { return mapping_ ? mapping_->data() : nullptr; }
    bool isWritable() const { return !mapping_ || mapping_->writable(); }
    /// The layout of a hardware buffer that is not a BLOB; else nothing.
    const std::optional<hal::HardwareBufferLayout>& image() const;

    bool isDeviceBuffer() const { return buffer_ != nullptr; }
    android::hardware::neuralnetworks::V1_3::IBuffer& buffer() const { return *buffer_; }
    std::uint32_t token() const { return token_; }
    /// Borrows the handle of a host memory, for a request or a model.
    android::hardware::hidl_memory borrow() const;

    /// Null if the memory is not from a description.
    MemoryRoles* roles() const { return roles_.get(); }

    void tellAtEnd(const std::weak_ptr<MemoryUser>& user) const;

  private:
    struct BufferRelease {
        void operator()(AHardwareBuffer* buffer) const { AHardwareBuffer_release(buffer); }
    };

    Memory();
    /// Maps what memory_ refers to.
    Result<void> map();

    const std::uint64_t id_;
    android::hardware::hidl_memory memory_;
    std::unique_ptr<AHardwareBuffer, BufferRelease> hardwareBuffer_;
    std::optional<hal::MappedPool> mapping_;
    android::sp<android::hardware::neuralnetworks::V1_3::IBuffer> buffer_;
    std::uint32_t token_ = 0;
    std::unique_ptr<MemoryRoles> roles_;
    mutable std::mutex mutex_;  // guards users_
    mutable std::vector<std::weak_ptr<MemoryUser>> users_;
};

using SharedMemory = Memory::SharedMemory;

}  // namespace vnpu::sim::ndk

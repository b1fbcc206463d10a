// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vndk/hardware_buffer.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "hal/src/memory/hardware_buffer_handle.h"

/// The object behind the NDK's opaque type: a mapping of the memory of one native handle, and a
/// reference count. Any thread.
struct AHardwareBuffer final {
  public:
    template <typename T>
    using Result = vnpu::hal::HardwareBufferResult<T>;

    /// Allocates a new buffer.
    static Result<AHardwareBuffer*> allocate(const AHardwareBuffer_Desc& desc);

    /// Creates a buffer from an untrusted handle and takes the handle over. `asked`, if not null,
    /// must agree with the handle in all fields but usage and becomes the buffer's description. On
    /// failure the caller keeps the handle.
    static Result<AHardwareBuffer*> import(vnpu::hal::OwnedHandle& handle,
                                           const AHardwareBuffer_Desc* asked);

    AHardwareBuffer(const AHardwareBuffer&) = delete;
    AHardwareBuffer& operator=(const AHardwareBuffer&) = delete;

    void acquire() { references_.fetch_add(1, std::memory_order_relaxed); }
    void release();

    const AHardwareBuffer_Desc& desc() const { return info_.desc; }
    const vnpu::hal::HardwareBufferLayout& layout() const { return info_.layout; }
    uint64_t id() const { return info_.id; }
    const native_handle_t* handle() const { return handle_.get(); }
    std::byte* bytes() const { return bytes_; }

    /// Returns 0 or -EBUSY, see AHardwareBuffer_lock.
    int beginLock(bool isForWriting);
    /// Returns 0 or -EINVAL.
    int endLock();

  private:
    AHardwareBuffer(vnpu::hal::OwnedHandle handle, const vnpu::hal::HardwareBufferInfo& info,
                    std::byte* bytes);
    ~AHardwareBuffer();

    const vnpu::hal::OwnedHandle handle_;
    const vnpu::hal::HardwareBufferInfo info_;
    std::byte* const bytes_;
    std::atomic<uint64_t> references_{1};
    std::mutex mutex_;  // guards the members below; no other lock is taken under it
    uint64_t lockCount_ = 0;
    bool isLockedForWriting_ = false;
};

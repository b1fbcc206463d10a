// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vndk/hardware_buffer.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "hal/src/memory/hardware_buffer_handle.h"

/// What stands behind the NDK's opaque type: a mapping of the memory of one native handle, and its
/// references. Any thread.
struct AHardwareBuffer final {
  public:
    template <typename T>
    using Result = vnpu::hal::HardwareBufferResult<T>;

    /// A new buffer over new memory.
    static Result<AHardwareBuffer*> allocate(const AHardwareBuffer_Desc& desc);

    /// A buffer over the memory of a foreign handle, which it takes over. `asked`, if given, must
    /// agree with the handle in all but usage, and is what describes the buffer then. A failure
    /// leaves the handle where it was.
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

    /// 0 or -EBUSY, see AHardwareBuffer_lock.
    int beginLock(bool isForWriting);
    /// 0 or -EINVAL.
    int endLock();

  private:
    AHardwareBuffer(vnpu::hal::OwnedHandle handle, const vnpu::hal::HardwareBufferInfo& info,
                    std::byte* bytes);
    ~AHardwareBuffer();

    const vnpu::hal::OwnedHandle handle_;
    const vnpu::hal::HardwareBufferInfo info_;
    std::byte* const bytes_;
    std::atomic<uint64_t> references_{1};
    std::mutex mutex_;  // guards what follows; no other is taken under it
    uint64_t lockCount_ = 0;
    bool isLockedForWriting_ = false;
};

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "driver/port/mutex.h"
#include "driver/result.h"

namespace vnpu::driver {

class DeviceBuffer;

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

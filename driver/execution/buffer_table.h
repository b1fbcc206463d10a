// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

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
    mutable std::mutex mutex_;  // guards the members below; rank 80
    std::map<std::uint32_t, std::weak_ptr<DeviceBuffer>> buffers_;
    std::uint32_t lastToken_ = 0;
};

}  // namespace vnpu::driver

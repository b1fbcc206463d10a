// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver/result.h"

namespace vnpu::driver {

class DeviceBuffer;

/// The buffers of memory domains by token. A token is never given twice. Any thread.
class BufferTable {
  public:
    /// A token above 0. RESOURCE_EXHAUSTED_PERSISTENT when all of them have been given out.
    Result<std::uint32_t> add(const std::shared_ptr<DeviceBuffer>& buffer);
    /// Ends a token, although executions may still keep its buffer.
    void remove(std::uint32_t token);
    /// The buffer behind a token, null if there is none (any more).
    std::shared_ptr<DeviceBuffer> find(std::uint32_t token) const;

  private:
    mutable std::mutex mutex_;  // guards what follows; rank 80
    std::map<std::uint32_t, std::weak_ptr<DeviceBuffer>> buffers_;
    std::uint32_t lastToken_ = 0;
};

}  // namespace vnpu::driver

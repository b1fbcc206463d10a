// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/buffer_table.h"

#include <limits>

namespace vnpu::driver {

Result<std::uint32_t> BufferTable::add(const std::shared_ptr<DeviceBuffer>& buffer) {
    const MutexLock guard(mutex_);
    if (lastToken_ == std::numeric_limits<std::uint32_t>::max()) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    "all tokens of memory domains have been given out");
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

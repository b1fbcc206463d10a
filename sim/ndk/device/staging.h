// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/ndk/memory/memory.h"

namespace vnpu::sim::ndk {

/// Shared memories of one prepared model that executions borrow one after the other, so that a
/// device keeps them mapped. Any thread.
class StagingPool : public std::enable_shared_from_this<StagingPool> {
  public:
    /// A memory that returns to the pool at its last release. Its bytes are those of earlier
    /// executions.
    Result<SharedMemory> borrow(std::uint64_t sizeBytes);

  private:
    void giveBack(SharedMemory memory);

    std::mutex mutex_;  // guards free_
    std::vector<SharedMemory> free_;
};

}  // namespace vnpu::sim::ndk

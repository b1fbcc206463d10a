// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/burst_session.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "driver/execution/call_scope.h"
#include "driver/execution/prepared_model.h"

namespace vnpu::driver {

/// Runs a burst's requests on a prepared model; the client's pools stay mapped by slot, and the
/// device stays in its high-performance state. One call at a time, on a host thread of the port.
class BurstExecutor : public hal::IBurstExecutorWithCache {
  public:
    // chosen: the most that a usual packet of 1024 data can name
    static constexpr std::size_t kMaxSlots = 1024;

    explicit BurstExecutor(std::shared_ptr<PreparedModel> prepared)
        : prepared_(std::move(prepared)), power_(prepared_->runtime().power().hold()) {}

    bool isCacheEntryPresent(std::int32_t slot) const override { return entries_.contains(slot); }
    void addCacheEntry(const android::hardware::hidl_memory& memory, std::int32_t slot) override;
    void removeCacheEntry(std::int32_t slot) override { entries_.erase(slot); }
    hal::BurstResult execute(
            const android::hardware::neuralnetworks::V1_0::Request& request,
            const std::vector<std::int32_t>& slots,
            android::hardware::neuralnetworks::V1_2::MeasureTiming measure) override;

  private:
    struct Entry {
        android::hardware::hidl_memory memory;  // with a duplicated handle
        /// Null for memory that is mapped for each execution or cannot be mapped.
        std::shared_ptr<const PoolMapping> mapping;
    };

    Result<BoundRequest> bind(const android::hardware::neuralnetworks::V1_0::Request& request,
                              const std::vector<std::int32_t>& slots) const;

    const std::shared_ptr<PreparedModel> prepared_;
    const PowerGovernor::Hold power_;  // B-1
    std::map<std::int32_t, Entry> entries_;
};

}  // namespace vnpu::driver

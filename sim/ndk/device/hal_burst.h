// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/ndk/device/hal_prepared_model.h"
#include "vnpu/hal/burst_controller.h"

namespace vnpu::sim::ndk {

/// A burst of a HAL device. What a burst cannot express (time limits, buffers of devices, hardware
/// buffers) is computed outside of it. One execution at a time; any thread.
class HalBurst : public BurstLink,
                 public MemoryUser,
                 public std::enable_shared_from_this<HalBurst> {
  public:
    /// Null if the device refuses the burst.
    static std::shared_ptr<HalBurst> create(std::shared_ptr<HalPreparedModel> model);

    CallOutcome compute(const Call& call) override;
    void forget(std::uint64_t memoryId) override;

  private:
    HalBurst(std::shared_ptr<HalPreparedModel> model,
             std::unique_ptr<hal::ExecutionBurstController> controller);

    const std::shared_ptr<HalPreparedModel> model_;
    const std::unique_ptr<hal::ExecutionBurstController> controller_;
};

}  // namespace vnpu::sim::ndk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/blocks/base/device_observer.h"

namespace vnpu::sim {

/// Measures how long the device's engines worked on a job: from the first command that the
/// controller pushed to the end of the last command. Simulation thread.
class JobCycles : public hw::DeviceObserver {
  public:
    void onEngineCommand(const hw::EngineCommandRecord& record) override;

    /// Cycles from the start of the earliest to the end of the latest job since the previous call;
    /// 0 without a job.
    std::uint64_t take();

  private:
    std::uint64_t begin_ = UINT64_MAX;
    std::uint64_t end_ = 0;
};

}  // namespace vnpu::sim

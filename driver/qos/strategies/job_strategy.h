// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "driver/api/scheduling.h"
#include "driver/control/patience.h"

namespace vnpu::driver {

/// What decides in the driver when an accepted job reaches the device. Any thread but the interrupt
/// thread.
class JobStrategy {
  public:
    virtual ~JobStrategy() = default;

    /// Waits for the job's turn; false if patience ends before it comes.
    virtual bool enter(std::uint32_t uid, std::uint32_t halPriority, const Patience& patience) = 0;

    /// After the end of a job that has entered.
    virtual void leave() = 0;
};

std::unique_ptr<JobStrategy> createStrategy(DevicePort& port, Strategy strategy);

}  // namespace vnpu::driver

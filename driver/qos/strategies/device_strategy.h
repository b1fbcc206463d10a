// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/qos/strategies/job_strategy.h"

namespace vnpu::driver {

/// The device gets every job at once and serves priorities itself.
class DeviceStrategy : public JobStrategy {
  public:
    bool enter(std::uint32_t uid, std::uint32_t halPriority, const Patience& patience) override;
    void leave() override;
};

}  // namespace vnpu::driver

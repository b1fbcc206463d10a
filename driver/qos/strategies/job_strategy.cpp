// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/strategies/job_strategy.h"

#include "driver/qos/strategies/device_strategy.h"
#include "driver/qos/strategies/queue_strategy.h"

namespace vnpu::driver {

std::unique_ptr<JobStrategy> createStrategy(DevicePort& port, Strategy strategy) {
    if (strategy == Strategy::kQueue) {
        return std::make_unique<QueueStrategy>(port);
    }
    return std::make_unique<DeviceStrategy>();
}

}  // namespace vnpu::driver

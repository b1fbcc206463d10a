// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/strategies/device_strategy.h"

namespace vnpu::driver {

bool DeviceStrategy::enter(std::uint32_t /*uid*/, std::uint32_t /*halPriority*/,
                           const Patience& /*patience*/) {
    return true;
}

void DeviceStrategy::leave() {}

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/port/device_port.h"

namespace vnpu::driver::test {

/// Checks the contract of DevicePort that the driver relies on, for every implementation: the
/// platform's, the live one and the fake. The device must have booted and be idle. Call it from a
/// host thread of the port. Replaces the interrupt handler, so that the driver is deaf afterwards.
void checkDevicePort(DevicePort& port);

}  // namespace vnpu::driver::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "driver/validation/hal_version.h"
#include "sim/conform/hal_session.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// A session of HAL 1.0, 1.1 or 1.2, with asynchronous executions, and from 1.2 on also synchronous
/// ones and bursts.
std::unique_ptr<HalSession> openEarlierSession(ClientContext& context, driver::HalVersion version);

}  // namespace vnpu::sim

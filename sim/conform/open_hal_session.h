// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "driver/validation/hal_version.h"
#include "sim/conform/hal_session.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// A session of any HAL version; it must not outlive `context`.
std::unique_ptr<HalSession> openHalSession(ClientContext& context, driver::HalVersion version);

}  // namespace vnpu::sim

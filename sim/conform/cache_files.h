// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client/device_calls.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Empty files in memory for one compilation, as many as the device asks for; none where it does
/// not cache. Throws std::runtime_error where the system has no memory file left.
CacheHandles createCacheFiles(ClientContext& context);

}  // namespace vnpu::sim

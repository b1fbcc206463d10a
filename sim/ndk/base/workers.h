// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

/// Runs `work` on a thread of its own, which idle threads of earlier work provide. The threads
/// exist until the process ends. RESOURCE_EXHAUSTED_TRANSIENT if the system has no thread left; the
/// work then never runs. Any thread.
Result<void> runOnWorker(std::function<void()> work);

}  // namespace vnpu::sim::ndk

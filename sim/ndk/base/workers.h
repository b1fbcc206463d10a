// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace vnpu::sim::ndk {

/// Runs `work` on a thread of its own, which idle threads of earlier work provide. The threads
/// exist until the process ends. Any thread.
void runOnWorker(std::function<void()> work);

}  // namespace vnpu::sim::ndk

// SPDX-License-Identifier: Apache-2.0
#include "sim/client/polling.h"

#include <algorithm>
#include <chrono>

namespace vnpu::sim {

void pollUntil(ClientContext& context, const std::function<bool()>& isDone) {
    // chosen: a delay of at most a microsecond for short waits, of a hundredth for long ones
    constexpr std::chrono::nanoseconds kShortestPause{1000};
    const std::chrono::nanoseconds begin = context.now();
    while (!isDone()) {
        const std::chrono::nanoseconds passed = context.now() - begin;
        context.sleepUntil(context.now() + std::max(kShortestPause, passed / 100));
    }
}

}  // namespace vnpu::sim

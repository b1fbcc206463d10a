// SPDX-License-Identifier: Apache-2.0
#include <android/sync.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace {

using Clock = std::chrono::steady_clock;

/// The timeout for poll in milliseconds, rounded up to avoid spinning over the last millisecond.
int millisecondsUntil(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

int failWith(int error) {
    errno = error;
    return -1;
}

}  // namespace

int sync_wait(int fd, int timeoutMs) {
    if (fd < 0) {
        return failWith(EINVAL);
    }
    const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(timeoutMs);
    pollfd fence{fd, POLLIN, 0};
    for (;;) {
        const int ready = poll(&fence, 1, timeoutMs < 0 ? -1 : millisecondsUntil(deadline));
        if (ready > 0) {
            return (fence.revents & (POLLERR | POLLNVAL)) != 0 ? failWith(EINVAL) : 0;
        }
        if (ready == 0) {
            return failWith(ETIME);
        }
        if (errno != EINTR && errno != EAGAIN) {
            return -1;
        }
    }
}

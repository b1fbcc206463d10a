// SPDX-License-Identifier: Apache-2.0
#include "futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace vnpu::hal {

static_assert(std::atomic<uint32_t>::is_always_lock_free &&
              sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

int waitFutex(std::atomic<uint32_t>& word, uint32_t expected, const timespec* deadline,
              uint32_t bits) {
    return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, expected, deadline, nullptr, bits) < 0
                   ? -errno
                   : 0;
}

int wakeFutex(std::atomic<uint32_t>& word, uint32_t bits) {
    return syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr, bits) < 0
                   ? -errno
                   : 0;
}

}  // namespace vnpu::hal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

namespace vnpu::hal {

// Futex wait and wake on a word in shared memory. Return 0 or -errno.

/// Sleeps while the word is `expected`, until a wake of one of the bits or until `deadline` on
/// CLOCK_MONOTONIC (null: no limit).
int waitFutex(std::atomic<uint32_t>& word, uint32_t expected, const timespec* deadline,
              uint32_t bits);

/// Wakes all threads that wait for one of the bits.
int wakeFutex(std::atomic<uint32_t>& word, uint32_t bits);

}  // namespace vnpu::hal

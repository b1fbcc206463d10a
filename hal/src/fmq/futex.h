// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

namespace vnpu::hal {

// The kernel's wait and wake on a word that processes share. 0 or -errno.

/// Sleeps while the word is `expected`, until somebody wakes one of the bits, or until the time of
/// CLOCK_MONOTONIC; null: no end.
int waitFutex(std::atomic<uint32_t>& word, uint32_t expected, const timespec* deadline,
              uint32_t bits);

/// Wakes everybody who waits for one of the bits.
int wakeFutex(std::atomic<uint32_t>& word, uint32_t bits);

}  // namespace vnpu::hal

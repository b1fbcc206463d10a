// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <utils/Errors.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace android::hardware {

/// Bits in a word of shared memory that threads of any process wake each other with. A bit that is
/// set stays set until somebody waits for it. The word is a futex; whoever shares it may write
/// anything into it. Any thread.
struct EventFlag {
    /// A flag over a word of the caller's, which outlives it. BAD_VALUE if either is null.
    static status_t createEventFlag(std::atomic<uint32_t>* word, EventFlag** flag);
    /// A flag over the word at `offset` of a file, which it maps. BAD_VALUE if the file does not
    /// have an aligned word there or can shrink.
    static status_t createEventFlag(int fd, off_t offset, EventFlag** flag);
    /// BAD_VALUE if there is none; else `*flag` becomes null.
    static status_t deleteEventFlag(EventFlag** flag);

    /// Sets bits, and wakes who waits for one of those that were not set before.
    status_t wake(uint32_t bitmask);

    /// Waits until a bit of the mask is set, clears those of them that are, and tells which in
    /// `*efState`. A timeout of 0 is none, one below 0 has passed. -ETIMEDOUT; -EAGAIN or -EINTR
    /// when another bit changed or somebody else took the bits, unless `retry` says to go on;
    /// BAD_VALUE for an empty mask or null.
    status_t wait(uint32_t bitmask, uint32_t* efState, int64_t timeoutNanos = 0,
                  bool retry = false);

    EventFlag(const EventFlag&) = delete;
    EventFlag& operator=(const EventFlag&) = delete;

  private:
    explicit EventFlag(std::atomic<uint32_t>* word) : word_(word) {}
    ~EventFlag();

    std::atomic<uint32_t>* word_;
    void* mapping_ = nullptr;  // of a word in a file
    size_t mappedBytes_ = 0;
};

}  // namespace android::hardware

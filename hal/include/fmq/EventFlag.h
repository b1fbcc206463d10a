// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <utils/Errors.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace android::hardware {

/// A word of shared memory whose bits wake threads of any process. A set bit stays set until a
/// thread waits for it. The word is a futex; another process may write any value into it. Any
/// thread.
struct EventFlag {
    /// Creates a flag over a word that the caller owns and that outlives the flag. BAD_VALUE if
    /// either pointer is null.
    static status_t createEventFlag(std::atomic<uint32_t>* word, EventFlag** flag);
    /// Creates a flag over the word at `offset` of a file and maps the file. BAD_VALUE if the file
    /// has no aligned word there or can shrink.
    static status_t createEventFlag(int fd, off_t offset, EventFlag** flag);
    /// BAD_VALUE if there is no flag; otherwise sets `*flag` to null.
    static status_t deleteEventFlag(EventFlag** flag);

    /// Sets bits and wakes the threads that wait for a bit that was clear before.
    status_t wake(uint32_t bitmask);

    /// Waits until a bit of the mask is set, clears the set bits of the mask and returns them in
    /// `*efState`. A timeout of 0 means none; a negative one has passed already. Returns
    /// -ETIMEDOUT; -EAGAIN or -EINTR if another bit changed or another thread took the bits, unless
    /// `retry` is set; BAD_VALUE for an empty mask or null.
    status_t wait(uint32_t bitmask, uint32_t* efState, int64_t timeoutNanos = 0,
                  bool retry = false);

    EventFlag(const EventFlag&) = delete;
    EventFlag& operator=(const EventFlag&) = delete;

  private:
    explicit EventFlag(std::atomic<uint32_t>* word) : word_(word) {}
    ~EventFlag();

    std::atomic<uint32_t>* word_;
    void* mapping_ = nullptr;  // of a word in a file; otherwise null
    size_t mappedBytes_ = 0;
};

}  // namespace android::hardware

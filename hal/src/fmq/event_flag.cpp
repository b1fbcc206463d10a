// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmq/EventFlag.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>

#include "futex.h"
#include "hal/src/memory/sealed_file.h"

namespace android::hardware {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;

int64_t monotonicNanos() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kNanosPerSecond + now.tv_nsec;
}

/// Empty: no deadline.
std::optional<timespec> deadlineAfter(int64_t timeoutNanos) {
    if (timeoutNanos == 0) {
        return std::nullopt;
    }
    const int64_t now = monotonicNanos();
    const int64_t end = timeoutNanos > std::numeric_limits<int64_t>::max() - now
                                ? std::numeric_limits<int64_t>::max()
                                : std::max<int64_t>(now + timeoutNanos, 0);
    return timespec{end / kNanosPerSecond, end % kNanosPerSecond};
}

bool hasPassed(const std::optional<timespec>& deadline) {
    return deadline && monotonicNanos() >= deadline->tv_sec * kNanosPerSecond + deadline->tv_nsec;
}

/// Clears the set bits of the mask and returns them.
uint32_t takeBits(std::atomic<uint32_t>& word, uint32_t mask) {
    return word.fetch_and(~mask) & mask;
}

status_t waitOnce(std::atomic<uint32_t>& word, uint32_t mask,
                  const std::optional<timespec>& deadline, uint32_t& state) {
    const uint32_t before = word.fetch_and(~mask);
    state = before & mask;
    if (state != 0) {
        return NO_ERROR;
    }
    const int result =
            vnpu::hal::waitFutex(word, before & ~mask, deadline ? &*deadline : nullptr, mask);
    if (result != 0) {
        return result;
    }
    state = takeBits(word, mask);
    return state != 0 ? NO_ERROR : -EINTR;
}

}  // namespace

status_t EventFlag::createEventFlag(std::atomic<uint32_t>* word, EventFlag** flag) {
    if (flag == nullptr) {
        return BAD_VALUE;
    }
    *flag = word == nullptr ? nullptr : new EventFlag(word);
    return word == nullptr ? BAD_VALUE : NO_ERROR;
}

status_t EventFlag::createEventFlag(int fd, off_t offset, EventFlag** flag) {
    if (flag == nullptr) {
        return BAD_VALUE;
    }
    *flag = nullptr;
    const auto fileBytes = vnpu::hal::sealedFileBytes(fd);
    if (!fileBytes || offset < 0 || offset % static_cast<off_t>(sizeof(uint32_t)) != 0 ||
        static_cast<uint64_t>(offset) + sizeof(uint32_t) > *fileBytes) {
        return BAD_VALUE;
    }
    const auto inPage = static_cast<size_t>(offset % sysconf(_SC_PAGESIZE));
    const size_t mappedBytes = inPage + sizeof(uint32_t);
    void* const mapping = mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                               offset - static_cast<off_t>(inPage));
    if (mapping == MAP_FAILED) {
        return -errno;
    }
    *flag = new EventFlag(
            reinterpret_cast<std::atomic<uint32_t>*>(static_cast<uint8_t*>(mapping) + inPage));
    (*flag)->mapping_ = mapping;
    (*flag)->mappedBytes_ = mappedBytes;
    return NO_ERROR;
}

status_t EventFlag::deleteEventFlag(EventFlag** flag) {
    if (flag == nullptr || *flag == nullptr) {
        return BAD_VALUE;
    }
    delete *flag;
    *flag = nullptr;
    return NO_ERROR;
}

EventFlag::~EventFlag() {
    if (mapping_ != nullptr) {
        munmap(mapping_, mappedBytes_);
    }
}

status_t EventFlag::wake(uint32_t bitmask) {
    // The exchange also orders earlier writes before the sleeper's last look. A plain load, to skip
    // an exchange without effect, would lose wake-ups.
    if (bitmask == 0 || (~word_->fetch_or(bitmask) & bitmask) == 0) {
        return NO_ERROR;
    }
    return vnpu::hal::wakeFutex(*word_, bitmask);
}

status_t EventFlag::wait(uint32_t bitmask, uint32_t* efState, int64_t timeoutNanos, bool retry) {
    if (bitmask == 0 || efState == nullptr) {
        return BAD_VALUE;
    }
    const std::optional<timespec> deadline = deadlineAfter(timeoutNanos);
    for (;;) {
        const status_t status = waitOnce(*word_, bitmask, deadline, *efState);
        if (!retry || (status != -EAGAIN && status != -EINTR)) {
            return status;
        }
        // The kernel does not check the time if the word has changed, which a peer can cause.
        if (hasPassed(deadline)) {
            return -ETIMEDOUT;
        }
    }
}

}  // namespace android::hardware

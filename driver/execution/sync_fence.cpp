// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/sync_fence.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace vnpu::driver {

using android::base::unique_fd;
using android::hardware::hidl_handle;
using std::chrono::nanoseconds;

namespace {

// chosen: a foreign fence is seen at most a millisecond late, an early one within microseconds
constexpr nanoseconds kFirstFenceLook{1000};
constexpr nanoseconds kSlowestFenceLook{1'000'000};

Result<SyncFence::Identity> identityOf(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("fence descriptor {}: {}", descriptor, std::strerror(errno)));
    }
    return SyncFence::Identity{status.st_dev, status.st_ino};
}

/// Whether the descriptor polls readable now.
Result<bool> isReadable(int descriptor) {
    pollfd look{descriptor, POLLIN, 0};
    const int ready = ::poll(&look, 1, 0);
    if (ready < 0 && errno != EINTR) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("fence cannot be polled: {}", std::strerror(errno)));
    }
    if (ready > 0 && (look.revents & (POLLERR | POLLNVAL)) != 0) {
        return fail(ErrorStatus::GENERAL_FAILURE, "fence to wait for reports an error");
    }
    // A pipe closed without its byte: the execution failed, or its driver has ended.
    if (ready > 0 && (look.revents & POLLHUP) != 0 && (look.revents & POLLIN) == 0) {
        return fail(ErrorStatus::GENERAL_FAILURE, "execution to wait for failed");
    }
    return ready > 0;
}

Result<void> waitForForeign(int descriptor, nanoseconds end, DevicePort& port) {
    const std::unique_ptr<HostEvent> never = port.createEvent();
    for (nanoseconds pause = kFirstFenceLook;; pause = std::min(2 * pause, kSlowestFenceLook)) {
        VNPU_TRY_ASSIGN(const bool isReady, isReadable(descriptor));
        if (isReady) {
            return {};
        }
        const nanoseconds left = end - port.now();
        if (left <= nanoseconds::zero()) {
            return fail(ErrorStatus::GENERAL_FAILURE, "fence to wait for is not signaled");
        }
        never->waitFor(std::min(pause, left));
    }
}

/// The result of a wait for an execution that ended with this status.
Result<void> resultOf(ErrorStatus status) {
    if (status == ErrorStatus::NONE) {
        return {};
    }
    return fail(status, fmt::format("execution to wait for failed with {}",
                                    android::hardware::neuralnetworks::V1_3::toString(status)));
}

// Every execution ends, so its fence needs no time limit.
Result<void> waitForOwn(SyncFence& fence, const Deadline& deadline, DevicePort& port) {
    const std::optional<ErrorStatus> status = fence.wait(deadline, port);
    return status ? resultOf(*status)
                  : fail(ErrorStatus::GENERAL_FAILURE, "fence to wait for is not signaled");
}

}  // namespace

SyncFence::SyncFence(std::unique_ptr<HostEvent> signaled, unique_fd readEnd, unique_fd writeEnd,
                     const Identity& identity)
    : signaled_(std::move(signaled)),
      readEnd_(std::move(readEnd)),
      identity_(identity),
      writeEnd_(std::move(writeEnd)) {}

Result<std::shared_ptr<SyncFence>> SyncFence::create(DevicePort& port) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                    fmt::format("no descriptors for a fence: {}", std::strerror(errno)));
    }
    unique_fd readEnd(ends[0]);
    unique_fd writeEnd(ends[1]);
    VNPU_TRY_ASSIGN(const auto identity, identityOf(readEnd.get()));
    return std::shared_ptr<SyncFence>(
            new SyncFence(port.createEvent(), std::move(readEnd), std::move(writeEnd), identity));
}

hidl_handle SyncFence::handle() const {
    hidl_handle handle;
    const int descriptor = ::fcntl(readEnd_.get(), F_DUPFD_CLOEXEC, 3);
    native_handle_t* native = descriptor < 0 ? nullptr : native_handle_create(1, 0);
    if (native == nullptr) {
        unique_fd dropped(descriptor);
        return handle;
    }
    native->data[0] = descriptor;
    handle.setTo(native, true);
    return handle;
}

void SyncFence::signal(ErrorStatus status) {
    {
        const MutexLock guard(mutex_);
        status_ = status;
        // Closing the pipe wakes all waiters. The byte before means success, also to a waiter that
        // looks after the end of this object.
        const char byte = 1;
        if (status == ErrorStatus::NONE) {
            static_cast<void>(::write(writeEnd_.get(), &byte, sizeof(byte)) == sizeof(byte));
        }
        writeEnd_.reset();
    }
    signaled_->set();
}

std::optional<ErrorStatus> SyncFence::wait(const Deadline& deadline, DevicePort& port) {
    if (!deadline) {
        signaled_->wait();
    } else if (const nanoseconds left = *deadline - port.now(); left > nanoseconds::zero()) {
        signaled_->waitFor(left);
    }
    const MutexLock guard(mutex_);
    return status_;
}

void FenceTable::add(const std::shared_ptr<SyncFence>& fence) {
    const MutexLock guard(mutex_);
    std::erase_if(fences_, [](const auto& entry) { return entry.second.expired(); });
    fences_[fence->identity()] = fence;
    // The kernel may give the number of a closed pipe to a new one.
    std::erase_if(failures_, [&](const auto& entry) { return entry.first == fence->identity(); });
}

void FenceTable::signal(SyncFence& fence, ErrorStatus status) {
    if (status != ErrorStatus::NONE) {
        const MutexLock guard(mutex_);
        failures_.emplace_back(fence.identity(), status);
        if (failures_.size() > kRememberedFailures) {
            failures_.pop_front();
        }
    }
    fence.signal(status);
}

Result<void> FenceTable::wait(int descriptor, const Deadline& deadline, DevicePort& port) {
    VNPU_TRY_ASSIGN(const auto identity, identityOf(descriptor));
    std::shared_ptr<SyncFence> own;
    std::optional<ErrorStatus> failure;
    {
        const MutexLock guard(mutex_);
        const auto found = fences_.find(identity);
        own = found == fences_.end() ? nullptr : found->second.lock();
        for (const auto& [failed, status] : failures_) {
            if (failed == identity) {
                failure = status;
            }
        }
    }
    if (failure) {
        return resultOf(*failure);
    }
    const nanoseconds longest = port.now() + kLongestWait;
    Result<void> result =
            own != nullptr ? waitForOwn(*own, deadline, port)
                           : waitForForeign(descriptor,
                                            std::min(deadline.value_or(longest), longest), port);
    if (!result && hasPassed(deadline, port)) {
        return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                    fmt::format("deadline at {} ns of device time has passed before a fence",
                                deadline->count()));
    }
    return result;
}

}  // namespace vnpu::driver

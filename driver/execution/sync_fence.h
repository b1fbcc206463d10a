// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <hidl/HidlSupport.h>
#include <sys/types.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "driver/port/device_port.h"
#include "driver/qos/deadline.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The end of one execution as a descriptor that is ready in poll() from then on, whatever its
/// holders do: the reading end of a pipe whose writing end stays here, with a byte in it if the
/// execution succeeded. Any thread.
class SyncFence {
  public:
    /// RESOURCE_EXHAUSTED_TRANSIENT without descriptors.
    static Result<std::shared_ptr<SyncFence>> create(DevicePort& port);

    /// A handle with a descriptor of its own, for the caller; null without descriptors.
    android::hardware::hidl_handle handle() const;

    /// Once; `status` is how the execution ended.
    void signal(ErrorStatus status);

    /// Waits for signal(); the execution's status, or nothing when `deadline` comes first.
    std::optional<ErrorStatus> wait(const Deadline& deadline, DevicePort& port);

    /// What tells the pipe from any other file.
    using Identity = std::pair<dev_t, ino_t>;
    Identity identity() const { return identity_; }

  private:
    SyncFence(std::unique_ptr<HostEvent> signalled, android::base::unique_fd readEnd,
              android::base::unique_fd writeEnd, const Identity& identity);

    const std::unique_ptr<HostEvent> signalled_;
    const android::base::unique_fd readEnd_;
    const Identity identity_;
    std::mutex mutex_;  // guards what follows; rank 90
    android::base::unique_fd writeEnd_;
    std::optional<ErrorStatus> status_;
};

/// The driver's own fences. Waiting for one of them takes exactly as long as its execution, in
/// virtual time too; those of others are looked at again and again. Any thread.
class FenceTable {
  public:
    void add(const std::shared_ptr<SyncFence>& fence);

    /// Waits until the descriptor polls readable. GENERAL_FAILURE for a descriptor that is no
    /// fence, an execution that failed, and for somebody else's fence after kLongestWait;
    /// MISSED_DEADLINE_PERSISTENT when `deadline` comes first.
    Result<void> wait(int descriptor, const Deadline& deadline, DevicePort& port);

    /// chosen: Android's kernel expects every fence to be signalled within ten seconds.
    static constexpr std::chrono::seconds kLongestWait{10};

  private:
    std::shared_ptr<SyncFence> find(const SyncFence::Identity& identity);

    std::mutex mutex_;  // rank 85
    std::map<SyncFence::Identity, std::weak_ptr<SyncFence>> fences_;
};

}  // namespace vnpu::driver

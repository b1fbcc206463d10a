// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <hidl/HidlSupport.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "driver/port/device_port.h"
#include "driver/port/mutex.h"
#include "driver/qos/deadline.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Signals the end of one execution through a descriptor that poll() then reports as ready: the
/// read end of a pipe whose write end stays here. The pipe holds a byte if the execution succeeded.
/// Any thread.
class SyncFence {
  public:
    /// RESOURCE_EXHAUSTED_TRANSIENT if no descriptors are left.
    static Result<std::shared_ptr<SyncFence>> create(DevicePort& port);

    /// A handle with a duplicated descriptor for the caller; null if no descriptor is left.
    android::hardware::hidl_handle handle() const;

    /// Signals the execution's final status. Called once, by FenceTable::signal.
    void signal(ErrorStatus status);

    /// Waits for signal() and returns the status; nothing if `deadline` comes first.
    std::optional<ErrorStatus> wait(const Deadline& deadline, DevicePort& port);

    /// Identifies the pipe among all files.
    using Identity = std::pair<dev_t, ino_t>;
    Identity identity() const { return identity_; }

  private:
    SyncFence(std::unique_ptr<HostEvent> signaled, android::base::unique_fd readEnd,
              android::base::unique_fd writeEnd, const Identity& identity);

    const std::unique_ptr<HostEvent> signaled_;
    const android::base::unique_fd readEnd_;
    const Identity identity_;
    Mutex mutex_ VNPU_LOCK_RANK(90);
    android::base::unique_fd writeEnd_ VNPU_GUARDED_BY(mutex_);
    std::optional<ErrorStatus> status_ VNPU_GUARDED_BY(mutex_);
};

/// The driver's own fences. A wait for one of them ends with its execution, in virtual time too;
/// foreign fences are polled. Any thread.
class FenceTable {
  public:
    void add(const std::shared_ptr<SyncFence>& fence);

    /// Signals an added fence. A failure outlives the fence, for executions that wait for it later.
    void signal(SyncFence& fence, ErrorStatus status);

    /// Waits until the descriptor polls readable. The status of the execution for one of the last
    /// own fences; GENERAL_FAILURE for a descriptor that is no fence, a foreign or forgotten fence
    /// of a failed execution, and a foreign fence after kLongestWait; MISSED_DEADLINE_PERSISTENT
    /// when `deadline` comes first.
    Result<void> wait(int descriptor, const Deadline& deadline, DevicePort& port);

    /// chosen: Android's kernel expects every fence to be signaled within ten seconds.
    static constexpr std::chrono::seconds kLongestWait{10};

  private:
    // chosen: more fences than clients keep of failed executions
    static constexpr std::size_t kRememberedFailures = 256;

    Mutex mutex_ VNPU_LOCK_RANK(85);
    std::map<SyncFence::Identity, std::weak_ptr<SyncFence>> fences_ VNPU_GUARDED_BY(mutex_);
    std::deque<std::pair<SyncFence::Identity, ErrorStatus>> failures_ VNPU_GUARDED_BY(mutex_);
};

}  // namespace vnpu::driver

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

/// Waits until a sync fence is signaled. OP_FAILED if it reports a failure: an error, or a pipe
/// that was closed without its byte (the driver's fences, driver/execution/sync_fence.h). Any
/// thread.
Result<void> waitForFence(int descriptor);

/// Whether a wait would return at once.
bool isSignaled(int descriptor);

/// A copy of a descriptor; BAD_DATA if it is not open.
Result<android::base::unique_fd> duplicate(int descriptor);

/// A fence of this process in the driver's form: the read end of a pipe. Any thread.
class OwnFence {
  public:
    /// RESOURCE_EXHAUSTED_TRANSIENT if no descriptors are left.
    static Result<OwnFence> create();

    int descriptor() const { return readEnd_.get(); }
    /// Signals the end, once.
    void signal(bool hasSucceeded);

  private:
    android::base::unique_fd readEnd_;
    android::base::unique_fd writeEnd_;
};

}  // namespace vnpu::sim::ndk

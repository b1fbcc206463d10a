// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace android::hardware {

/// The process that called the method in which this thread is. Any thread; set by
/// vnpu/hal/caller_identity.h.
class IPCThreadState {
  public:
    static IPCThreadState* self();

    pid_t getCallingPid() const;
    uid_t getCallingUid() const;
};

}  // namespace android::hardware

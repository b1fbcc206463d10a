// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace android::hardware {

/// Who calls, seen from inside a method of a service. Any thread; vnpu/hal/caller_identity.h sets
/// it.
class IPCThreadState {
  public:
    static IPCThreadState* self();

    pid_t getCallingPid() const;
    uid_t getCallingUid() const;
};

}  // namespace android::hardware

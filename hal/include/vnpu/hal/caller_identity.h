// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace vnpu::hal {

/// Tells IPCThreadState::getCallingUid what to answer: the provider is called on the thread that
/// asks, and by several at once. An empty function brings the default back, this process's own
/// user.
void setCallerUidProvider(std::function<uint32_t()> provider);

/// A process on whose behalf a thread works.
struct Caller {
    uid_t uid = 0;
    pid_t pid = 0;
};

/// While it lives, IPCThreadState tells of this caller on this thread, whatever the provider says.
class CallerScope {
  public:
    explicit CallerScope(const Caller& caller);
    ~CallerScope();
    CallerScope(const CallerScope&) = delete;
    CallerScope& operator=(const CallerScope&) = delete;

  private:
    const Caller caller_;
    const Caller* const outer_;
};

}  // namespace vnpu::hal

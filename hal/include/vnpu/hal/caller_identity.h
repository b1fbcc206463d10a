// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace vnpu::hal {

/// Sets the function that IPCThreadState::getCallingUid calls, on the calling thread and possibly
/// on several threads at once. An empty function restores the default, this process's own UID.
void setCallerUidProvider(std::function<uint32_t()> provider);

/// The process whose call a thread is serving.
struct Caller {
    uid_t uid = 0;
    pid_t pid = 0;
};

/// For its lifetime, IPCThreadState reports this caller on this thread; it overrides the provider.
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

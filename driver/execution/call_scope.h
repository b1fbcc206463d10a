// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/control/environment.h"
#include "driver/result.h"

namespace vnpu::driver {

/// One HAL call as observers see it. Made on the thread of the call, as soon as it arrives; ended
/// once, on any thread.
class CallScope {
  public:
    /// `uid` is given for work that does not arrive as a binder call of its caller.
    CallScope(const Environment& environment, std::string_view call,
              std::uint32_t uid = callingUid());
    ~CallScope() { end(status_); }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

    std::uint64_t id() const { return id_; }
    /// The caller's UID (AID).
    std::uint32_t uid() const { return uid_; }

    /// Logs why the call fails, notes the status for the end, and returns it.
    ErrorStatus refuse(const Error& error);

    /// Reports the end of the call to the observer. Only the first call has an effect.
    void end(ErrorStatus status);

    /// Ends the call with the status of its outcome, which it returns; logs a failure.
    template <typename T>
    ErrorStatus finish(const Result<T>& outcome) {
        const ErrorStatus status = outcome ? ErrorStatus::NONE : refuse(outcome.error());
        end(status);
        return status;
    }

  private:
    /// The UID of the present binder call.
    static std::uint32_t callingUid();

    const Environment& environment_;
    const std::string call_;
    const std::uint64_t id_;
    const std::uint32_t uid_;
    ErrorStatus status_ = ErrorStatus::NONE;
    bool hasEnded_ = false;
};

}  // namespace vnpu::driver

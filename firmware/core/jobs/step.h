// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "hw_model/regs/status.h"
#include "hw_model/regs/try.h"

namespace vnpu::fw {

/// How a job's turn on the device ended.
enum class TurnEnd {
    kDone,       // the job has a result
    kPreempted,  // its context is saved; it continues later
    kStopped,    // it starts again from the beginning later
};

/// The result of one step of a turn: the turn continues or has ended. VNPU_TRY returns from a
/// function whose step has ended the turn.
struct [[nodiscard]] Step {
    std::optional<TurnEnd> end;                 // none: the turn continues
    hw::JobStatus status = hw::JobStatus::kOk;  // of the job, with TurnEnd::kDone

    static Step goOn() { return {}; }
    static Step leave(TurnEnd end) { return {end}; }
    static Step finish(hw::JobStatus status) { return {TurnEnd::kDone, status}; }

    /// Continues after kOk, otherwise finishes the job with `status`.
    static Step of(hw::JobStatus status) {
        return status == hw::JobStatus::kOk ? goOn() : finish(status);
    }
};

}  // namespace vnpu::fw

namespace vnpu {

inline bool hasFailed(const fw::Step& step) {
    return step.end.has_value();
}
inline fw::Step failureOf(fw::Step&& step) {
    return step;
}

}  // namespace vnpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/scenario/scenario.h"
#include "sim/scenario/scenario_outcome.h"
#include "sim/trace/event_stream.h"

namespace vnpu::sim {

/// Determines whether each refused execution would have met its deadline. The process forks at the
/// refusal; the child (the twin) has the same state, continues by the same rules, and admits the
/// execution without stopping it. The twin ends with the execution or its deadline. The run waits
/// for the twin and continues unchanged. The process must have no other threads, so this is for
/// timing-only runs in virtual time. Simulation thread.
class RefusalJudge : public EventSink {
  public:
    /// Unless the scenario judges refusals, they are only recorded. Both arguments must outlive
    /// this object.
    RefusalJudge(const Scenario& scenario, const EventStream& stream)
        : scenario_(scenario), stream_(stream) {}

    /// Ends a twin when the deadline has passed.
    void onEngineCommand(const EngineEvent& event) override;

    /// Whether to admit the execution of this call despite the forecast; true only in a twin.
    bool insists(std::uint64_t callId);

    /// Does not return in the twin of this frame.
    void onFrameResult(std::uint32_t client, std::uint64_t frame, bool metDeadline) const;

    /// The verdict about a refused frame; empty for a frame that was not refused.
    std::optional<RefusalVerdict> verdictOf(std::uint32_t client, std::uint64_t frame) const;

    /// Throws std::runtime_error if a twin could not be created or failed; exits in a twin whose
    /// execution never ended.
    void finish() const;

    bool isTwin() const { return twinOf_.has_value(); }

  private:
    using Frame = std::pair<std::uint32_t, std::uint64_t>;  // client, number

    const Scenario& scenario_;
    const EventStream& stream_;
    std::map<Frame, RefusalVerdict> verdicts_;
    std::optional<Frame> twinOf_;
    std::uint64_t deadlineNs_ = UINT64_MAX;  // of a twin
    std::string failure_;  // the first one; exceptions must not pass through the driver
};

}  // namespace vnpu::sim

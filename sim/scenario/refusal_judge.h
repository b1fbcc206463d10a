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

/// Finds out of each refused execution whether it would have met its deadline, by letting it run:
/// the process forks at the refusal, and in the twin, which is the same run up to this moment and
/// goes on by the same rules, the execution is admitted and not stopped. The twin ends with the
/// execution or its deadline; the run waits for it and goes on as if nothing had been. For a
/// process with no other threads, so for timing-only runs in virtual time. Simulation thread.
class RefusalJudge : public EventSink {
  public:
    /// If the scenario has no refusals judged, they are noted only. Both must outlive this.
    RefusalJudge(const Scenario& scenario, const EventStream& stream)
        : scenario_(scenario), stream_(stream) {}

    /// Its events tell a twin when the deadline has passed.
    EventMask wants() const override { return kEngineEvents; }
    void onEngineCommand(const EngineEvent& event) override;

    /// Whether to admit the execution of this call all the same: in a twin.
    bool insists(std::uint64_t callId);

    /// In the twin of this frame, does not return.
    void onFrameResult(std::uint32_t client, std::uint64_t frame, bool metDeadline) const;

    /// Of a frame that was refused; nothing of one that was not.
    std::optional<RefusalVerdict> verdictOf(std::uint32_t client, std::uint64_t frame) const;

    /// Throws std::runtime_error if a twin could not be had or broke down; exits in a twin whose
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
    std::string failure_;                    // the first; nothing throws through the driver
};

}  // namespace vnpu::sim

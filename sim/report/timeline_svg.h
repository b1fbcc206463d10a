// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/events.h"

namespace vnpu::sim {

/// A picture of the first milliseconds of a run: a row per client (its calls), per engine (its
/// commands, colored by model operation), for the interrupt line, and for clock and power where
/// they change. Keeps only events within the window; neighboring commands of one operation become
/// one bar where the gap would not be visible.
class TimelineSvg : public EventSink {
  public:
    /// `lengthNs` of device time from the first submitted job on.
    explicit TimelineSvg(std::uint64_t lengthNs) : lengthNs_(lengthNs) {}

    void onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) override;
    void onCallBegin(const CallEvent& event) override;
    void onCallEnd(const CallEvent& event) override;
    void onJobSubmitted(const JobInfo& job) override;
    void onEngineCommand(const EngineEvent& event) override;
    void onInterruptLine(std::uint64_t timeNs, bool level) override;
    void onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                      std::uint32_t level) override;
    void onEnd(std::uint64_t timeNs) override;

    /// The picture; complete after onEnd().
    std::string render() const;

  private:
    struct Bar {
        std::uint64_t fromNs = 0;
        std::uint64_t toNs = 0;
        std::uint32_t color = 0;  // index into the palette
        std::string title;        // shown while the pointer is on the bar
    };
    struct Row {
        std::string label;
        std::vector<Bar> bars;
    };

    bool isOpen(std::uint64_t timeNs) const {
        return !hasStarted_ || timeNs < startNs_ + lengthNs_;
    }
    void addBar(Row& row, Bar bar) const;
    void addPowerBar(std::uint64_t timeNs);

    std::uint64_t lengthNs_;
    std::uint64_t startNs_ = 0;
    bool hasStarted_ = false;
    hw::NpuConfig config_;
    std::vector<ClientInfo> clients_;
    std::vector<Row> clientRows_;
    std::vector<Row> engineRows_;  // by engine index
    Row interrupts_;
    std::vector<CallEvent> openCalls_;
    std::uint64_t lineRaisedNs_ = 0;
    bool isLineHigh_ = false;
    Row power_;
    hw::regs::PowerState powerState_ = hw::regs::PowerState::kActive;
    std::uint32_t clockLevel_ = 0;
    std::uint64_t powerSinceNs_ = 0;
    bool hasPowerChanged_ = false;  // within the window
};

}  // namespace vnpu::sim

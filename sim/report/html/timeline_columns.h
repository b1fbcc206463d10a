// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/html/packed_column.h"
#include "sim/report/html/usage_history.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

/// The events of a run in packed columns, for the timeline of its page. Keeps the first
/// `maxEvents` events, about 20 bytes each, and counts the others; the usage of the engines covers
/// the whole run. Times are in ns since power-on. Jobs are numbered by their order of submission,
/// as in Statistics::jobs().
class TimelineColumns : public EventSink {
  public:
    /// chosen: pages of a few megabytes, which a browser opens within seconds
    static constexpr std::size_t kMaxEvents = 2'000'000;

    explicit TimelineColumns(std::size_t maxEvents = kMaxEvents) : maxEvents_(maxEvents) {}

    void onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) override;
    void onJobSubmitted(const JobInfo& job) override;
    void onJobCompleted(const JobInfo& job, std::uint64_t timeNs, std::string_view status) override;
    void onEngineCommand(const EngineEvent& event) override;
    void onInterruptLine(std::uint64_t timeNs, bool level) override;
    void onFirmwareEvent(std::uint64_t timeNs, std::string_view event, const JobInfo* job) override;
    void onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                      std::uint32_t level) override;
    void onEnd(std::uint64_t timeNs) override;

    std::uint64_t kept() const { return kept_; }
    std::uint64_t leftOut() const { return leftOut_; }
    /// The time of the first event that was left out; nothing if all were kept.
    std::optional<std::uint64_t> keptUntilNs() const { return keptUntilNs_; }

    nlohmann::ordered_json json() const;

  private:
    /// The commands of an engine, by their ends.
    struct Lane {
        using Coding = PackedColumn::Coding;
        PackedColumn startNs{Coding::kDelta};
        PackedColumn lengthNs;
        PackedColumn waitNs;               // for tokens, before the start
        PackedColumn queuedNs;             // from the push to the start
        PackedColumn job{Coding::kDelta};  // number + 1, 0 if it is unknown
        PackedColumn operation;            // + 1, 0 for none
        PackedColumn tile;
        PackedColumn opcode;                   // in opcodes_
        PackedColumn command{Coding::kDelta};  // index on the engine since the job's start
        PackedColumn busyCycles;
        PackedColumn sramStallCycles;
        PackedColumn dramStallCycles;
        PackedColumn operations;  // multiply-accumulates or elements
        PackedColumn dramBytes;
        PackedColumn sramBytes;
    };
    /// Names by number, numbered by their first use.
    class Names {
      public:
        std::uint64_t numberOf(std::string_view name);
        const std::vector<std::string>& all() const { return names_; }

      private:
        std::vector<std::string> names_;
    };
    /// Moments with a name and a job, or without one.
    struct Moments {
        PackedColumn timeNs{PackedColumn::Coding::kDelta};
        PackedColumn name;
        PackedColumn job;  // number + 1
        Names names;

        void add(std::uint64_t timeNs, std::string_view name, std::uint64_t job);
        nlohmann::ordered_json json() const;
    };

    static nlohmann::ordered_json laneJson(const Lane& lane);
    bool keeps(std::uint64_t timeNs);
    std::uint64_t numberOf(const JobInfo* job) const;

    std::size_t maxEvents_;
    std::uint64_t kept_ = 0;
    std::uint64_t leftOut_ = 0;
    std::optional<std::uint64_t> keptUntilNs_;
    hw::NpuConfig config_;
    std::array<Lane, hw::kEngineCount> lanes_;
    Names opcodes_;
    Moments firmware_;
    Moments power_;
    Moments interrupts_;
    UsageHistory usage_;
    std::uint64_t jobCount_ = 0;
    std::map<std::uint64_t, std::uint64_t> jobNumbers_;  // + 1, by id; of jobs in progress
    std::uint64_t endNs_ = 0;
};

}  // namespace vnpu::sim

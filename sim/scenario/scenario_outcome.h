// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vnpu::sim {

/// The verdict on an execution that the driver refused because it would miss its deadline.
enum class RefusalVerdict : std::uint8_t { kNotJudged, kRight, kWrong };

/// One frame that was executed. Times in ns of device time since power-on.
struct FrameRecord {
    std::uint32_t client = 0;
    std::uint64_t frame = 0;
    std::uint64_t arrivalNs = 0;
    std::uint64_t callNs = 0;    // start of the HAL call
    std::uint64_t returnNs = 0;  // arrival of the result
    std::string status{};        // ErrorStatus by name, "NONE" on success
    bool isOk = false;
    bool isRefused = false;  // MISSED_DEADLINE_*: no result because of its deadline
    bool isLate = false;     // the client still worked on an earlier frame when it arrived
    /// A refusal by the driver's forecast; known only if the run has sinks.
    std::optional<RefusalVerdict> refusal{};
    bool missedDeadline = false;  // answered after it, or refused because of it
    std::uint64_t timeOnDeviceUs = UINT64_MAX;
    std::uint64_t timeInDriverUs = UINT64_MAX;

    std::uint64_t latencyNs() const { return returnNs - arrivalNs; }
};

/// The results of a client.
struct ClientOutcome {
    std::string network;          // the network's own name
    std::uint64_t macs = 0;       // of one inference
    std::uint64_t prepareNs = 0;  // how long preparing the model took
    std::uint64_t arrived = 0;    // frames that arrived within the duration
    std::uint64_t executed = 0;   // executed frames, successful or not
    std::uint64_t failed = 0;     // of those: status other than NONE, without missed deadlines
    std::uint64_t late = 0;       // overruns: see FrameRecord::isLate
    std::uint64_t missedDeadlines = 0;
    std::uint64_t outputHash = 0;        // FNV-1a of the outputs of the first successful execution
    std::uint64_t outputMismatches = 0;  // later executions with other outputs for the same input
    /// The first of them: frame, time, output and element, with both values. Empty if none.
    std::string firstMismatch;

    std::uint64_t notStarted() const { return arrived - executed; }
};

/// What the banks of a DRAM counted since power-on, boot and preparation included; zeros with the
/// flat model.
struct DramOutcome {
    std::uint64_t rowHits = 0;  // bursts whose row was open
    std::uint64_t rowMisses = 0;
    std::uint64_t rowConflicts = 0;
    std::uint64_t refreshes = 0;
    std::uint64_t turnaroundCycles = 0;
    std::uint64_t pageTableReads = 0;

    std::uint64_t bursts() const { return rowHits + rowMisses + rowConflicts; }
    /// 0 without bursts.
    double hitRate() const;
};

struct ScenarioOutcome {
    std::uint64_t startNs = 0;  // common start: every client has prepared its model
    std::uint64_t endNs = 0;    // the last client has finished
    std::vector<ClientOutcome> clients;
    std::vector<FrameRecord> frames;  // in the order of their answers
    DramOutcome dram;

    std::uint64_t mistakes = 0;  // of the driver, that lint found
    /// Indices of the scenario's faults that never happened. Empty for live runs.
    std::vector<std::size_t> absentFaults;
};

}  // namespace vnpu::sim

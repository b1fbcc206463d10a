// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vnpu::sim {

/// What came of an execution that the driver refused because it would miss its deadline.
enum class RefusalVerdict : std::uint8_t { kNotJudged, kRight, kWrong };

/// One frame that was executed. Times in ns of device time since power-on.
struct FrameRecord {
    std::uint32_t client = 0;
    std::uint64_t frame = 0;
    std::uint64_t arrivalNs = 0;
    std::uint64_t callNs = 0;    // the HAL call began
    std::uint64_t returnNs = 0;  // the result was there
    std::string status{};        // ErrorStatus by name, "NONE" if it worked
    bool isOk = false;
    bool isRefused = false;  // MISSED_DEADLINE_*: no result because of its deadline
    bool isLate = false;     // the client was still at an earlier frame when it arrived
    std::optional<RefusalVerdict> refusal{};  // by the driver's forecast; known if there are sinks
    bool missedDeadline = false;              // answered after it, or refused because of it
    std::uint64_t timeOnDeviceUs = UINT64_MAX;
    std::uint64_t timeInDriverUs = UINT64_MAX;

    std::uint64_t latencyNs() const { return returnNs - arrivalNs; }
};

/// What a client did.
struct ClientOutcome {
    std::string network;          // the network's own name
    std::uint64_t macs = 0;       // of one inference
    std::uint64_t prepareNs = 0;  // how long preparing the model took
    std::uint64_t arrived = 0;    // frames that arrived within the duration
    std::uint64_t executed = 0;   // frames that were executed, well or not
    std::uint64_t failed = 0;     // of those: status other than NONE, missed deadlines apart
    std::uint64_t late = 0;       // overruns: see FrameRecord::isLate
    std::uint64_t missedDeadlines = 0;
    std::uint64_t outputHash = 0;  // FNV-1a of the outputs of the first execution that worked
    std::uint64_t outputMismatches =
            0;  // later executions whose outputs differ though the input is the same

    std::uint64_t notStarted() const { return arrived - executed; }
};

struct ScenarioOutcome {
    std::uint64_t startNs = 0;  // common start: every client has prepared its model
    std::uint64_t endNs = 0;    // the last client has finished
    std::vector<ClientOutcome> clients;
    std::vector<FrameRecord> frames;  // by the time of their answers

    bool isClean() const;  // no failed execution, no output that differs
};

}  // namespace vnpu::sim

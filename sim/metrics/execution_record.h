// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/refusal_judge.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

enum class ExecutionEnd : std::uint8_t {
    kDone,    // with a result, in time or not
    kMissed,  // MISSED_DEADLINE_*: refused or aborted
    kFailed,
};

/// One execution of a client. Times in ns of device time.
struct ExecutionRecord {
    std::uint32_t client = 0;
    std::uint64_t arrivalNs = 0;
    std::uint64_t finishNs = 0;               // the client gets the answer
    std::uint64_t deadlineNs = 0;             // 0: none
    std::uint64_t isolatedNs = 0;             // time alone on the device; 0: unknown
    bool isAdmitted = true;                   // not refused at the call because of its deadline
    std::optional<RefusalVerdict> refusal{};  // by the driver's forecast
    ExecutionEnd end = ExecutionEnd::kDone;
    JobCosts costs;

    std::uint64_t turnaroundNs() const { return finishNs - arrivalNs; }
};

/// All executions of a run with their clients.
struct ExecutionLog {
    struct Client {
        std::string name;
        std::uint32_t uid = 0;
        ClientPriority priority = ClientPriority::kMedium;
        std::uint64_t unserved = 0;  // arrived, but were not executed before the end
    };

    std::vector<Client> clients;
    std::vector<ExecutionRecord> records;
    std::vector<std::uint64_t> preemptionsNs{};  // from decision to the job being off the device
    std::uint64_t spanNs = 0;                    // from the common start to the last answer
    std::uint64_t wakes = 0;  // of the device, since power-on, like the following members
    std::uint64_t clockSwitches = 0;
    std::uint64_t suspendedNs = 0;
};

}  // namespace vnpu::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "firmware/core/command_fetcher.h"
#include "firmware/core/dispatcher.h"
#include "firmware/core/ring_table.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Runs one job from its slot to its result:
///
///   slot --check--> regions --read, check--> stream --frame, validate, dispatch--> drain -->
///   result
///    |                 |                       |                                     |
///    | bad field       | bad entry, fault      | bad command, fault                  | engine
///    v                 v                       v                                     v error
///   stop the engines, release the fault record ----------------------------------------> result
///
/// Between the commands, and at every branch, it looks for engine errors, the end of its ring, and
/// reset: no loop can hold it.
class JobRunner {
  public:
    struct Parts {
        hw::ControllerPort& port;
        Dispatcher& dispatcher;
    };

    explicit JobRunner(const Parts& parts)
        : port_(parts.port), dispatcher_(parts.dispatcher), fetcher_(port_) {}

    /// Reads the sizes of the device; once per boot.
    void readDeviceLimits();

    /// Runs the job; the result's status tells how it ended. After a reset the result means
    /// nothing.
    JobResult run(const Job& job);

  private:
    hw::JobStatus readRegions(const Job& job);
    hw::JobStatus runStream(const Job& job);
    hw::JobStatus runCommand(const hw::CommandView& command, bool& isEnd);
    hw::JobStatus runControl(const hw::CommandView& command, bool& isEnd);
    hw::JobStatus writeTimestamp(const hw::CommandView& command);
    hw::JobStatus startSegment();
    hw::JobStatus startLoop(const hw::Loop& work);
    hw::JobStatus runBranch(const hw::CommandView& command);
    hw::JobStatus checkLoop(const hw::Branch& work);
    hw::JobStatus readCondition(const hw::Branch& work, bool& holds);
    hw::JobStatus statusOf(Stop stop);
    hw::JobStatus readEngineError();
    std::uint64_t releaseFault();

    hw::ControllerPort& port_;
    Dispatcher& dispatcher_;
    CommandFetcher fetcher_;
    hw::ValidationLimits limits_;
    JobResult result_;
    std::uint32_t context_ = 0;
    std::uint64_t loopTimeoutCycles_ = 0;
    std::bitset<hw::kMaxLoops> hasBegun_;
    std::array<std::uint64_t, hw::kMaxLoops> loopStarts_{};  // of those that have begun
    std::array<std::uint64_t, hw::kMaxRegions> regionAddresses_{};
    std::array<std::uint64_t, hw::kMaxRegions> regionBytes_{};
    std::array<std::uint8_t, hw::kMaxRegions> regionWritable_{};
};

}  // namespace vnpu::fw
